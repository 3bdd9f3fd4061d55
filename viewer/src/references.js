// SPDX-License-Identifier: Apache-2.0
// references.js: frames of reference of the model: three short axes where the frame is. What moves has its place for each frame; what a body carries goes with the body.
import * as THREE from 'three';
import { placement } from './shapes.js';

const colour = [[0.71, 0.25, 0.18], [0.18, 0.49, 0.27], [0.17, 0.37, 0.62]];

export class References {
  constructor(data, size, places, turns) {
    this.group = new THREE.Group();
    this.places = places;
    this.turns = turns;
    this.items = [];
    for (const one of data.page.reference_frames || []) {
      if (!one.pose && !one.place) continue;
      const geometry = new THREE.BufferGeometry();
      const p = [];
      const c = [];
      for (let k = 0; k < 3; k++) { p.push(0, 0, 0, ...[0, 1, 2].map((j) => (j === k ? 0.12 * size : 0))); c.push(...colour[k], ...colour[k]); }
      geometry.setAttribute('position', new THREE.Float32BufferAttribute(p, 3));
      geometry.setAttribute('color', new THREE.Float32BufferAttribute(c, 3));
      const lines = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ vertexColors: true }));
      lines.matrixAutoUpdate = false;
      lines.frustumCulled = false;
      this.items.push({ one, lines, pose: one.pose ? data.numbers(one.pose) : null, local: one.place ? placement(one.x, one.R) : null, at: [0, 0, 0] });
      this.group.add(lines);
    }
  }

  update(k, a) {
    const near = a > 0.5 ? k + 1 : k;
    for (const i of this.items) {
      if (i.pose) {
        for (let c = 0; c < 3; c++) i.at[c] = (1 - a) * i.pose.value(12 * k + c) + (a > 0 ? a * i.pose.value(12 * (k + 1) + c) : 0);
        i.lines.matrix.copy(placement(i.at, Array.from({ length: 9 }, (_, j) => i.pose.value(12 * near + 3 + j))));
      } else {
        i.lines.visible = this.places(i.one.place, i.at);
        i.lines.matrix.compose(new THREE.Vector3(...i.at), this.turns(i.one.place) || new THREE.Quaternion(), new THREE.Vector3(1, 1, 1)).multiply(i.local);
      }
      i.lines.matrixWorldNeedsUpdate = true;
    }
  }
}
