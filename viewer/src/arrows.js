// SPDX-License-Identifier: Apache-2.0
// arrows.js: forms of arrows, one long and along z: a straight one for forces and impulses, a bent one for moments.
import * as THREE from 'three';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';

export function straightArrow(thick = 0.022) {
  const shaft = new THREE.CylinderGeometry(thick, thick, 0.74, 12).rotateX(Math.PI / 2).translate(0, 0, 0.37);
  const head = new THREE.ConeGeometry(3.2 * thick, 0.26, 16).rotateX(Math.PI / 2).translate(0, 0, 0.87);
  return mergeGeometries([shaft, head]);
}

export function bentArrow() {
  const arc = 1.5 * Math.PI;
  const ring = new THREE.TorusGeometry(0.5, 0.03, 8, 40, arc);
  const head = new THREE.ConeGeometry(0.1, 0.26, 14).translate(0, 0.08, 0).rotateZ(arc).translate(0.5 * Math.cos(arc), 0.5 * Math.sin(arc), 0);
  return mergeGeometries([ring.toNonIndexed(), head.toNonIndexed()]);
}
