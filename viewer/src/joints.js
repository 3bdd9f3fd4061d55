// SPDX-License-Identifier: Apache-2.0
// joints.js: where bodies hold each other or the ground: a small dark ball, a pin along the axis of a hinge, a cube at a clamp, a bar for a spring; and the arm from a rigid
// body's centre to a joint outside of it, which forms do not show (the string of a pendulum).
import * as THREE from 'three';
import { Balls, Sticks } from './sticks.js';

const geometries = {
  ball: () => new THREE.SphereGeometry(1, 20, 12),
  pin: () => new THREE.CylinderGeometry(0.75, 0.75, 3.4, 20).rotateX(Math.PI / 2),
  cube: () => new THREE.BoxGeometry(1.8, 1.8, 1.8),
};
const shapeOf = (kind) => (kind === 'hinge' || kind === 'universal' ? 'pin' : kind === 'clamp' || kind === 'fixed' || kind === 'slider' ? 'cube' : 'ball');

export class Joints {
  constructor(data, size, places, rigids) {
    this.rigids = rigids;
    this.group = new THREE.Group();
    this.arms = new THREE.Group();
    this.size = size;
    this.places = places; // place -> point of now
    this.joints = (data.page.joints || []).map((j) => ({ ...j, shape: j.kind === 'clamp' && j.fix !== 63 ? 'ball' : shapeOf(j.kind), at: [0, 0, 0], to: [0, 0, 0] }));
    this.kinds = {};
    for (const shape of Object.keys(geometries)) {
      const members = this.joints.filter((j) => j.shape === shape && j.kind !== 'spring');
      this.kinds[shape] = { members, many: new Balls(members.length, geometries[shape]()) };
      this.group.add(this.kinds[shape].many.mesh);
    }
    this.springs = this.joints.filter((j) => j.kind === 'spring');
    this.spring = new Sticks(this.springs.length);
    this.armed = [];
    for (const j of this.joints) {
      for (const place of [j.a, j.b]) {
        const body = place && data.bodies[place.body];
        if (body && body.kind === 'rigid' && place.r && reaches(body, place.r)) this.armed.push(place);
      }
    }
    this.arm = new Sticks(this.armed.length);
    this.arms.add(this.arm.mesh);
    this.group.add(this.spring.mesh);
  }

  update() {
    const radius = 0.0085 * this.size;
    for (const { members, many } of Object.values(this.kinds)) {
      members.forEach((j, i) => {
        const known = this.places(j.a, j.at) || this.places(j.b, j.at);
        if (!known) many.hide(i); else many.set(i, j.at, radius, j.axis && this.turned(j.a, normalised(j.axis)));
      });
    }
    this.springs.forEach((j, i) => {
      const known = this.places(j.a, j.at);
      if (known && this.places(j.b, j.to)) this.spring.set(i, j.at, j.to, 0.5 * radius); else this.spring.hide(i);
    });
    const from = [0, 0, 0];
    const to = [0, 0, 0];
    this.armed.forEach((place, i) => {
      if (this.places({ body: place.body, r: [0, 0, 0] }, from) && this.places(place, to)) this.arm.set(i, from, to, 0.0028 * this.size);
    });
  }

  /** An axis is given in the axes of the first body. */
  turned(place, axis) {
    const one = place && this.rigids.find(place.body);
    return one ? new THREE.Vector3(...axis).transformDirection(one.matrix).toArray() : axis;
  }

  recolour(dark) {
    const c = dark ? [0.62, 0.66, 0.7] : [0.06, 0.07, 0.085];
    for (const { members, many } of Object.values(this.kinds)) members.forEach((_, i) => many.colour(i, c));
    this.springs.forEach((_, i) => this.spring.colour(i, c));
    this.armed.forEach((_, i) => this.arm.colour(i, dark ? [0.35, 0.38, 0.42] : [0.25, 0.28, 0.31]));
  }
}

function normalised(v) {
  const n = Math.hypot(...v) || 1;
  return v.map((x) => x / n);
}

/** Does a point lie outside of all pieces of a body? Roughly: farther out than the farthest of them. */
function reaches(body, r) {
  let most = 0;
  for (const p of body.pieces || []) {
    const own = p.shape === 'block' ? Math.hypot(...p.size) : p.shape === 'ball' ? p.radius : Math.hypot(p.radius, p.half + (p.shape === 'stick' ? p.radius : 0));
    most = Math.max(most, Math.hypot(...p.x) + (p.shape === 'hull' ? 0 : own));
  }
  return Math.hypot(...r) > most * 1.02;
}
