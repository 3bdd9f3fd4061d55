// SPDX-License-Identifier: Apache-2.0
// sticks.js: thin round bars between two points, and small balls: links, arms of joints, points. A fixed number of each, one draw call; what is not needed has no size.
import * as THREE from 'three';

const material = (options) => new THREE.MeshPhongMaterial({ shininess: 20, specular: 0x1c1c1c, ...options });

class Many {
  constructor(geometry, count) {
    this.mesh = new THREE.InstancedMesh(geometry, material(), Math.max(count, 1));
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = true;
    this.mesh.count = count;
    this.mesh.visible = count > 0; // otherwise its program would be compiled for nothing
    this.matrix = new THREE.Matrix4();
    this.q = new THREE.Quaternion();
    this.p = new THREE.Vector3();
    this.s = new THREE.Vector3();
    this.c = new THREE.Color();
    if (count > 0) for (let i = 0; i < count; i++) this.mesh.setColorAt(i, this.c.setRGB(0.3, 0.3, 0.3));
  }

  colour(i, rgb) {
    this.mesh.setColorAt(i, this.c.setRGB(...rgb));
    this.mesh.instanceColor.needsUpdate = true;
  }

  write(i) {
    this.mesh.setMatrixAt(i, this.matrix.compose(this.p, this.q, this.s));
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  hide(i) {
    this.s.set(0, 0, 0);
    this.write(i);
  }
}

const up = new THREE.Vector3(0, 0, 1);

export class Sticks extends Many {
  constructor(count) {
    super(new THREE.CylinderGeometry(1, 1, 1, 12).rotateX(Math.PI / 2), count);
    this.along = new THREE.Vector3();
  }

  set(i, a, b, radius) {
    this.along.set(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    const length = this.along.length();
    if (!(length > 0)) { this.hide(i); return; }
    this.q.setFromUnitVectors(up, this.along.divideScalar(length));
    this.p.set((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2);
    this.s.set(radius, radius, length);
    this.write(i);
  }
}

export class Balls extends Many {
  constructor(count, geometry = new THREE.SphereGeometry(1, 20, 12)) { super(geometry, count); }

  set(i, at, radius, axis) {
    this.p.set(...at);
    if (axis) this.q.setFromUnitVectors(up, this.along ? this.along.set(...axis) : (this.along = new THREE.Vector3(...axis)));
    this.s.set(radius, radius, radius);
    this.write(i);
  }
}
