// SPDX-License-Identifier: Apache-2.0
// loads.js: forces and moments of the model at their places, as arrows. The longest is the greatest of its kind over all frames; one that pushes into its body ends at the place, one that pulls begins there.
import * as THREE from 'three';
import { bentArrow, straightArrow } from './arrows.js';

const up = new THREE.Vector3(0, 0, 1);

export class Loads {
  constructor(data, size, places, turns, centres) {
    this.group = new THREE.Group();
    this.size = size;
    this.places = places;
    this.turns = turns;
    this.centres = centres;
    this.items = [];
    for (const one of data.page.loads || []) {
      if (!one.values || !one.place) continue;
      const numbers = data.numbers(one.values);
      const value = (k, c) => numbers.value(3 * k + c);
      let most = 0;
      for (let k = 0; 3 * k + 2 < numbers.length; k++) most = Math.max(most, Math.hypot(value(k, 0), value(k, 1), value(k, 2)));
      const mesh = new THREE.Mesh(one.moment ? bentArrow() : straightArrow(0.03), new THREE.MeshPhongMaterial({ shininess: 12, specular: 0x101010 }));
      mesh.frustumCulled = false;
      if (most > 0) this.items.push({ one, value, most, mesh });
    }
    for (const kind of [true, false]) {
      const top = Math.max(...this.items.filter((i) => i.one.moment === kind).map((i) => i.most), 0);
      for (const i of this.items) if (i.one.moment === kind) i.top = top;
    }
    for (const i of this.items) this.group.add(i.mesh);
    this.force = new THREE.Vector3();
    this.next = new THREE.Vector3();
    this.place = [0, 0, 0];
  }

  update(k, a) {
    for (const i of this.items) {
      const f = this.force.set(i.value(k, 0), i.value(k, 1), i.value(k, 2));
      if (a > 0) f.lerp(this.next.set(i.value(k + 1, 0), i.value(k + 1, 1), i.value(k + 1, 2)), a);
      const size = f.length();
      i.mesh.visible = size > 1e-9 * i.top && this.places(i.one.place, this.place);
      if (!i.mesh.visible) continue;
      const turn = i.one.follower ? this.turns(i.one.place) : null;
      if (turn) f.applyQuaternion(turn);
      f.divideScalar(size);
      const length = this.size * (0.07 + 0.13 * (size / i.top));
      i.mesh.position.set(...this.place);
      const centre = this.centres(i.one.place);
      if (!i.one.moment && centre && this.next.copy(centre).sub(i.mesh.position).normalize().dot(f) > 0.5) i.mesh.position.addScaledVector(f, -length);
      i.mesh.quaternion.setFromUnitVectors(up, f);
      i.mesh.scale.setScalar(length);
    }
  }

  recolour(dark) { for (const i of this.items) i.mesh.material.color.set(dark ? 0xe8dcae : 0x3a3226); }
}
