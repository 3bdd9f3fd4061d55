// SPDX-License-Identifier: Apache-2.0
// shapes.js: surfaces of forms: ball, stick (capsule), block, drum (cylinder), hull. Axes of sticks and drums are z. Balls and drums have sectors of two shades, so that one
// sees them turn.
import * as THREE from 'three';
import { ConvexGeometry } from 'three/examples/jsm/geometries/ConvexGeometry.js';

function shade(geometry, dark) {
  const p = geometry.attributes.position;
  const colours = new Float32Array(3 * p.count);
  for (let i = 0; i < p.count; i += 3) { // one shade for a triangle
    const x = (p.getX(i) + p.getX(i + 1) + p.getX(i + 2)) / 3;
    const y = (p.getY(i) + p.getY(i + 1) + p.getY(i + 2)) / 3;
    const z = (p.getZ(i) + p.getZ(i + 1) + p.getZ(i + 2)) / 3;
    colours.fill(dark(x, y, z) ? 0.72 : 1, 3 * i, 3 * i + 9);
  }
  geometry.setAttribute('color', new THREE.BufferAttribute(colours, 3));
  return geometry;
}

const plain = (geometry) => shade(geometry.index ? geometry.toNonIndexed() : geometry, () => false);

/** The surface of a form; sizes as the model has them. */
export function surface(form) {
  const upright = (g) => g.rotateX(Math.PI / 2); // three's axes of capsules and cylinders are y
  switch (form.shape) {
    case 'ball':
      return shade(new THREE.SphereGeometry(form.radius, 48, 24).toNonIndexed(), (x, y, z) => (x * y * z > 0));
    case 'stick':
      return shade(upright(new THREE.CapsuleGeometry(form.radius, 2 * form.half, 8, 24)).toNonIndexed(), (x, y) => x * y > 0);
    case 'drum':
      return shade(upright(new THREE.CylinderGeometry(form.radius, form.radius, 2 * form.half, 48)).toNonIndexed(), (x, y) => x * y > 0);
    case 'block':
      return plain(new THREE.BoxGeometry(2 * form.size[0], 2 * form.size[1], 2 * form.size[2]));
    case 'hull': {
      const points = [];
      for (let i = 0; i + 2 < form.cloud.length; i += 3) points.push(new THREE.Vector3(form.cloud.value(i), form.cloud.value(i + 1), form.cloud.value(i + 2)));
      return plain(points.length > 3 ? new ConvexGeometry(points) : new THREE.BufferGeometry().setFromPoints([]));
    }
    default:
      return null;
  }
}

/** The matrix of a place and a row-major turn. */
export function placement(x, R, out = new THREE.Matrix4()) {
  return out.set(R[0], R[1], R[2], x[0], R[3], R[4], R[5], x[1], R[6], R[7], R[8], x[2], 0, 0, 0, 1);
}
