// SPDX-License-Identifier: Apache-2.0
// rigids.js: rigid bodies. Pieces of the same form and size are drawn together, one instance each, however many bodies there are.
import * as THREE from 'three';
import { placement, surface } from './shapes.js';

/** A body without form: a small ball, and bars to its named points. */
function standIn(body, size) {
  const upright = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const out = [{ shape: 'ball', radius: 0.012 * size, half: 0, size: [0, 0, 0], x: [0, 0, 0], R: upright }];
  for (const r of body.marks || []) {
    const length = r ? Math.hypot(...r) : 0;
    if (!(length > 0.02 * size)) continue;
    const turn = new THREE.Matrix4().makeRotationFromQuaternion(new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), new THREE.Vector3(...r).divideScalar(length))).elements;
    const R = [0, 4, 8, 1, 5, 9, 2, 6, 10].map((k) => turn[k]);
    out.push({ shape: 'stick', radius: 0.006 * size, half: length / 2, size: [0, 0, 0], x: r.map((c) => c / 2), R });
  }
  return out;
}

export class Rigids {
  constructor(data, size) {
    this.group = new THREE.Group();
    this.bodies = [];
    this.kinds = new Map();
    this.triangles = 0;
    for (const body of data.bodies) {
      const position = body.kind === 'rigid' ? data.channel(`rigid/${body.name}/position`) : null;
      if (!position) continue;
      const one = { body, position, turn: data.channel(`rigid/${body.name}/orientation`), x: new Float64Array(3), q: new Float64Array([1, 0, 0, 0]), matrix: new THREE.Matrix4() };
      this.bodies.push(one);
      const pieces = body.pieces && body.pieces.length ? body.pieces : standIn(body, size);
      for (const piece of pieces) this.add(one, piece, data);
    }
    for (const kind of this.kinds.values()) this.finish(kind);
    this.value = new Float64Array(1);
    this.one = [0, 0, 0];
    this.work = new THREE.Matrix4();
    this.colourWork = new THREE.Color();
  }

  add(one, piece, data) {
    const key = piece.shape === 'hull' ? `hull ${piece.points.at}` : JSON.stringify([piece.shape, piece.radius, piece.half, piece.size]);
    if (!this.kinds.has(key)) this.kinds.set(key, { form: { ...piece, cloud: piece.points ? data.numbers(piece.points) : null }, members: [] });
    this.kinds.get(key).members.push({ one, local: placement(piece.x, piece.R) });
  }

  finish(kind) {
    const geometry = surface(kind.form);
    const material = new THREE.MeshPhongMaterial({ vertexColors: true, shininess: 38, specular: 0x2a2a2a });
    kind.mesh = new THREE.InstancedMesh(geometry, material, kind.members.length);
    kind.mesh.frustumCulled = false;
    kind.mesh.castShadow = kind.mesh.receiveShadow = true;
    kind.mesh.setColorAt(0, new THREE.Color(1, 1, 1));
    this.triangles += (geometry.attributes.position.count / 3) * kind.members.length;
    this.group.add(kind.mesh);
  }

  sample(k, a) {
    const q = new THREE.Quaternion();
    const x = new THREE.Vector3();
    const unit = new THREE.Vector3(1, 1, 1);
    for (const one of this.bodies) {
      one.position.sample(k, a, one.x);
      if (one.turn) one.turn.sampleTurns(k, a, one.q);
      one.matrix.compose(x.fromArray(one.x), q.set(one.q[1], one.q[2], one.q[3], one.q[0]), unit);
    }
  }

  update(k, a, field, paint) {
    this.sample(k, a);
    for (const kind of this.kinds.values()) {
      kind.members.forEach((m, i) => kind.mesh.setMatrixAt(i, this.work.multiplyMatrices(m.one.matrix, m.local)));
      kind.mesh.instanceMatrix.needsUpdate = true;
    }
    this.recolour(k, a, field, paint);
  }

  recolour(k, a, field, paint) {
    for (const one of this.bodies) {
      const source = field && field.sources.get(one.body.index);
      if (source) { source.sample(k, a, this.value); paint.number(this.value[0], this.one); }
      one.colour = source ? [...this.one] : paint.body(one.body.index);
    }
    for (const kind of this.kinds.values()) {
      kind.members.forEach((m, i) => kind.mesh.setColorAt(i, this.colourWork.setRGB(...m.one.colour)));
      kind.mesh.instanceColor.needsUpdate = true;
    }
  }

  find(index) { return this.bodies.find((b) => b.body.index === index); }

  placeOf(index, r, out) {
    const one = this.find(index);
    if (!one) return false;
    const v = new THREE.Vector3(...(r || [0, 0, 0])).applyMatrix4(one.matrix);
    out[0] = v.x; out[1] = v.y; out[2] = v.z;
    return true;
  }
}
