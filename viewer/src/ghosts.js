// SPDX-License-Identifier: Apache-2.0
// ghosts.js: thin lines of shapes at other moments: of a mode the state it is about and its swing over one period; of a load path some equilibria on the way. They say how much moves, and where from.
import * as THREE from 'three';

const MOST = 200000; // numbers

export class Ghosts {
  constructor(data, kind) {
    this.group = new THREE.Group();
    this.data = data;
    this.kind = kind;
    this.shown = -1;
    this.rest = this.lines(0.85);
    this.swing = this.lines(0.3);
    this.group.add(this.swing, this.rest);
    if (kind) this.set(this.rest, [0]);
    if (kind === 'statics') {
      const n = data.time.length;
      const count = Math.min(n, 9);
      this.set(this.swing, Array.from({ length: count }, (_, i) => Math.round((i * (n - 1)) / Math.max(count - 1, 1))));
    }
  }

  lines(opacity) {
    const object = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ transparent: true, opacity }));
    object.frustumCulled = false;
    return object;
  }

  set(object, frames) {
    const points = [];
    for (const body of this.data.bodies) {
      const c = this.data.channel(body.kind === 'lagrangian' ? `lagrangian/${body.name}/points` : `rod/${body.name}/position`);
      if (!c || c.shape.length !== 2) continue;
      const pairs = this.data.constants.get(`lagrangian/${body.name}/links`);
      const out = new Float64Array(c.width);
      const join = (i, j) => { for (const k of [i, j]) points.push(out[3 * k], out[3 * k + 1], out[3 * k + 2]); };
      for (const frame of frames) {
        if (points.length > MOST) break;
        c.sample(frame, 0, out);
        if (body.kind === 'rod') for (let i = 0; i + 1 < c.shape[0]; i++) join(i, i + 1);
        else for (let i = 0; pairs && i + 1 < pairs.length; i += 2) join(pairs.value(i), pairs.value(i + 1));
      }
    }
    object.geometry.dispose();
    object.geometry = new THREE.BufferGeometry();
    object.geometry.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
  }

  /** Of a mode: every second frame of the mode that t lies in. */
  update(t) {
    if (this.kind !== 'modes') return;
    const mode = Math.floor(t + 1e-9);
    if (mode === this.shown) return;
    this.shown = mode;
    const frames = [];
    this.data.time.forEach((x, k) => { if (mode > 0 && Math.floor(x + 1e-9) === mode && frames.length < 48) frames.push(k); });
    this.set(this.swing, frames.filter((_, i) => i % 2 === 0));
  }

  recolour(dark) {
    this.rest.material.color.set(dark ? 0xaeb8c2 : 0x59636d);
    this.swing.material.color.set(dark ? 0x93a1af : 0x5c6d7e);
  }
}
