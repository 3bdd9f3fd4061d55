// SPDX-License-Identifier: Apache-2.0
// ground.js: a grid below the scene whose squares have a round size, and the ground that catches shadows.
import * as THREE from 'three';
import { round125 } from './numbers.js';

export class Ground {
  constructor(box, level, size, detail, shadows) {
    this.group = new THREE.Group();
    const middle = box.getCenter(new THREE.Vector3());
    const reach = 0.75 * Math.max(box.max.x - box.min.x, box.max.y - box.min.y, 0.6 * size);
    this.step = round125(Math.max(Math.min(reach, detail) / 3, reach / 40));
    const half = Math.ceil(reach / this.step) * this.step;
    const cx = Math.round(middle.x / this.step) * this.step;
    const cy = Math.round(middle.y / this.step) * this.step;
    const points = [];
    for (let i = -half; i <= half + this.step * 1e-6; i += this.step) {
      points.push(cx + i, cy - half, level, cx + i, cy + half, level, cx - half, cy + i, level, cx + half, cy + i, level);
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
    this.lines = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ transparent: true }));
    this.group.add(this.lines);
    if (shadows) {
      const sheet = new THREE.Mesh(new THREE.PlaneGeometry(6 * half, 6 * half), new THREE.ShadowMaterial({ opacity: 0.16 }));
      sheet.position.set(cx, cy, level - 2e-4 * size);
      sheet.receiveShadow = true;
      this.sheet = sheet;
      this.group.add(sheet);
    }
  }

  recolour(dark) {
    this.lines.material.color.set(dark ? 0x59646f : 0x8b97a3);
    this.lines.material.opacity = dark ? 0.42 : 0.42;
    if (this.sheet) this.sheet.material.opacity = dark ? 0.4 : 0.16;
  }
}
