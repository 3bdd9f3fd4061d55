// SPDX-License-Identifier: Apache-2.0
// trails.js: the ways of points up to now: centres of rigid bodies, loose ends of lagrangian ones, both ends of rods.
import * as THREE from 'three';

const MOST = 64;
const SAMPLES = 1500;

export class Trails {
  constructor(data, points) {
    this.group = new THREE.Group();
    this.every = Math.max(1, Math.ceil(data.time.length / SAMPLES));
    this.tracks = [];
    for (const body of data.bodies) {
      if (this.tracks.length >= MOST) break;
      if (body.kind === 'rigid') this.add(body, data.channel(`rigid/${body.name}/position`), [0], data);
      if (body.kind === 'rod') {
        const c = data.channel(`rod/${body.name}/position`);
        if (c) this.add(body, c, data.constants.get(`rod/${body.name}/closed`)?.value(0) > 0 ? [0] : [0, c.shape[0] - 1], data);
      }
      const one = points.bodies.find((b) => b.body === body);
      if (one) this.add(body, one.channel, points.ends(one), data);
    }
    this.last = new Float64Array(3);
  }

  add(body, channel, which, data) {
    if (!channel) return;
    const n = Math.ceil(data.time.length / this.every) + 1;
    const out = new Float64Array(channel.width);
    const tracks = which.map((index) => ({ body, channel, index, p: new Float32Array(3 * (n + 1)), n: 0 }));
    for (let k = 0; k < data.time.length; k += this.every) {
      channel.sample(k, 0, out);
      for (const t of tracks) for (let c = 0; c < 3; c++) t.p[3 * (k / this.every) + c] = out[3 * t.index + c];
    }
    for (const t of tracks) {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute('position', new THREE.BufferAttribute(t.p, 3).setUsage(THREE.DynamicDrawUsage));
      t.saved = t.p.slice();
      t.line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ transparent: true, opacity: 0.75 }));
      t.line.frustumCulled = false;
      t.out = out;
      this.group.add(t.line);
      this.tracks.push(t);
    }
  }

  update(k, a) {
    const end = Math.floor(k / this.every) + 1; // samples that lie behind
    let sampled = null;
    for (const t of this.tracks) {
      if (t.channel !== sampled) { t.channel.sample(k, a, t.out); sampled = t.channel; }
      t.p.set(t.saved.subarray(0, 3 * end));
      for (let c = 0; c < 3; c++) t.p[3 * end + c] = t.out[3 * t.index + c];
      t.line.geometry.setDrawRange(0, end + 1);
      t.line.geometry.attributes.position.needsUpdate = true;
    }
  }

  recolour(paint) {
    for (const t of this.tracks) t.line.material.color.setRGB(...paint.body(t.body.index));
  }
}
