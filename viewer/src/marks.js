// SPDX-License-Identifier: Apache-2.0
// marks.js: where impacts were, as small dots, and arrows along the push on the body while the impact is young. The longest arrow is the greatest impulse.
import * as THREE from 'three';
import { straightArrow } from './arrows.js';

export const COLUMN = { event: 0, time: 1, kind: 2, law: 3, side: 4, impulse: 5, before: 6, after: 7, dissipated: 10 };

/** Rows of the ledger: [{event, time, kind, law, side, impulse, before, after, dissipated, place, normal}]. */
export function readLedger(data) {
  const l = data.page.ledger;
  if (!l) return [];
  const cell = data.numbers(l.data);
  const place = data.numbers(l.place);
  return Array.from({ length: l.rows }, (_, i) => {
    const at = (name) => cell.value(i * l.columns + COLUMN[name]);
    const p = [0, 1, 2, 3, 4, 5].map((k) => place.value(6 * i + k));
    return {
      event: at('event'), time: at('time'), kind: l.kinds[at('kind')] || '', law: l.laws[at('law')] || '', side: l.sides[at('side')] || '',
      impulse: at('impulse'), before: at('before'), after: at('after'), dissipated: at('dissipated'),
      place: Number.isFinite(p[0]) ? p.slice(0, 3) : null, normal: Number.isFinite(p[3]) ? p.slice(3) : null,
    };
  });
}

export class Marks {
  constructor(ledger, size, duration) {
    this.group = new THREE.Group();
    this.rows = ledger.filter((r) => r.place && r.impulse > 0);
    this.window = duration / 16;
    this.size = size;
    this.most = Math.max(...this.rows.map((r) => r.impulse), 1e-300);
    const count = this.rows.length;
    this.arrows = new THREE.InstancedMesh(straightArrow(), new THREE.MeshPhongMaterial({ color: 0xc4302b, shininess: 10 }), Math.max(count, 1));
    this.arrows.count = count;
    this.arrows.frustumCulled = false;
    this.dots = new THREE.InstancedMesh(new THREE.SphereGeometry(1, 12, 8), new THREE.MeshBasicMaterial({ color: 0xc4302b }), Math.max(count, 1));
    this.dots.count = count;
    this.dots.frustumCulled = false;
    if (count > 0) this.group.add(this.arrows, this.dots);
    const up = new THREE.Vector3(0, 0, 1);
    for (const r of this.rows) {
      const n = new THREE.Vector3(...(r.normal || [0, 0, 1]));
      r.q = new THREE.Quaternion().setFromUnitVectors(up, n.lengthSq() > 0 ? n.normalize() : up);
      r.p = new THREE.Vector3(...r.place);
    }
    this.matrix = new THREE.Matrix4();
    this.scale = new THREE.Vector3();
  }

  update(t) {
    this.rows.forEach((r, i) => {
      const age = (t - r.time) / this.window;
      const young = age >= -0.02 && age < 1 ? 1 - Math.max(age, 0) : 0;
      const length = young > 0 && r.normal ? this.size * (0.06 + 0.16 * (r.impulse / this.most)) * Math.sqrt(young) : 0;
      this.arrows.setMatrixAt(i, this.matrix.compose(r.p, r.q, this.scale.setScalar(length)));
      this.dots.setMatrixAt(i, this.matrix.compose(r.p, r.q, this.scale.setScalar(age >= -0.02 ? this.size * (0.0035 + 0.004 * young) : 0)));
    });
    if (this.rows.length) this.arrows.instanceMatrix.needsUpdate = this.dots.instanceMatrix.needsUpdate = true;
  }

  recolour(dark) {
    for (const m of [this.arrows, this.dots]) m.material.color.set(dark ? 0xff7a6e : 0xc4302b);
  }
}
