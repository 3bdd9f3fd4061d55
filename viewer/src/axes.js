// SPDX-License-Identifier: Apache-2.0
// axes.js: the small cross in the corner: where x, y, z point, and which way gravity pulls.
import * as THREE from 'three';

const make = (name, attributes) => {
  const e = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  return e;
};

export class Axes {
  constructor(svg, gravity) {
    this.items = [['x', [1, 0, 0]], ['y', [0, 1, 0]], ['z', [0, 0, 1]]].map(([name, d]) => ({ name, d: new THREE.Vector3(...d) }));
    if (gravity) this.items.push({ name: 'g', d: new THREE.Vector3(...gravity).normalize(), pull: true });
    for (const item of this.items) {
      item.line = make('line', { class: item.pull ? 'pull' : `axis ${item.name}`, 'marker-end': item.pull ? 'url(#tip)' : '' });
      item.text = make('text', { class: item.pull ? 'pull' : `axis ${item.name}` });
      item.text.textContent = item.name;
      svg.append(item.line, item.text);
    }
  }

  update(camera) {
    const v = new THREE.Vector3();
    for (const item of this.items) {
      v.copy(item.d).applyQuaternion(camera.quaternion.clone().invert());
      const reach = item.pull ? 20 : 26;
      const x = 44 + reach * v.x;
      const y = 44 - reach * v.y;
      const far = item.pull ? 31 : 36;
      Object.entries({ x1: 44, y1: 44, x2: x, y2: y }).forEach(([k, n]) => item.line.setAttribute(k, n.toFixed(1)));
      item.text.setAttribute('x', (44 + far * v.x).toFixed(1));
      item.text.setAttribute('y', (48 - far * v.y).toFixed(1));
      item.text.setAttribute('opacity', Math.hypot(v.x, v.y) < 0.2 ? 0 : 1);
    }
  }
}
