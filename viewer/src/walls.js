// SPDX-License-Identifier: Apache-2.0
// walls.js: obstacles: solids grey, hollows as the glass that bodies are in, planes as patches around the scene, inequalities as the surface where they are zero.
import * as THREE from 'three';
import { zeroSurface } from './march.js';
import { placement, surface } from './shapes.js';

const solid = () => new THREE.MeshPhongMaterial({ color: 0xb9c0c7, shininess: 8, specular: 0x0c0c0c, side: THREE.DoubleSide });
const glass = (opacity) => new THREE.MeshPhongMaterial({ color: 0x8fa3b5, transparent: true, opacity, side: THREE.DoubleSide, depthWrite: false, shininess: 60, specular: 0x303030 });
const line = () => new THREE.LineBasicMaterial({ color: 0x5c6670, transparent: true, opacity: 0.45 });

/** Circles around a hollow ball or drum: a few lines say more than much glass. */
function wires(one) {
  const points = [];
  const circle = (at) => { for (let i = 0; i < 72; i++) for (let k = 0; k < 2; k++) points.push(at(((i + k) * Math.PI) / 36)); };
  const r = one.radius;
  if (one.shape === 'ball') {
    circle((u) => new THREE.Vector3(r * Math.cos(u), r * Math.sin(u), 0));
    circle((u) => new THREE.Vector3(r * Math.cos(u), 0, r * Math.sin(u)));
    circle((u) => new THREE.Vector3(0, r * Math.cos(u), r * Math.sin(u)));
  } else {
    for (const z of [-one.half, 0, one.half]) circle((u) => new THREE.Vector3(r * Math.cos(u), r * Math.sin(u), z));
  }
  return new THREE.LineSegments(new THREE.BufferGeometry().setFromPoints(points), line());
}

export class Walls {
  constructor(data, box, size) {
    this.group = new THREE.Group();
    this.moving = [];
    this.level = null; // height of a level plane: the ground
    this.solids = [];
    for (const one of data.page.obstacles || []) {
      const object = this.make(one, data, box, size);
      if (!object) continue;
      if (one.shape !== 'gap') object.matrix.copy(placement(one.x, one.R));
      object.matrixAutoUpdate = false;
      object.userData.name = one.name;
      this.group.add(object);
      this.solids.push({ one, object });
      if (one.moves && one.pose) this.moving.push({ object, pose: data.numbers(one.pose), x: [0, 0, 0], R: new Array(9).fill(0) });
    }
  }

  make(one, data, box, size) {
    if (one.shape === 'plane') return this.plane(one, box, size);
    if (one.shape === 'mesh') {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute('position', new THREE.BufferAttribute(Float32Array.from(data.numbers(one.corners).toArray()), 3));
      geometry.computeVertexNormals();
      return this.shadowed(new THREE.Mesh(geometry, Object.assign(solid(), { flatShading: true })));
    }
    if (one.shape === 'gap') {
      const corners = zeroSurface(data.numbers(one.values).raw, one.cells, one.lo, one.step);
      if (corners.length === 0) return null;
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute('position', new THREE.BufferAttribute(corners, 3));
      geometry.computeVertexNormals();
      return new THREE.Mesh(geometry, glass(0.22));
    }
    const geometry = surface(one);
    if (!geometry) return null;
    if (one.hollow) {
      const group = new THREE.Group();
      group.add(new THREE.Mesh(geometry, glass(0.1)), wires(one));
      return group;
    }
    return this.shadowed(new THREE.Mesh(geometry, solid()));
  }

  shadowed(mesh) {
    mesh.castShadow = mesh.receiveShadow = true;
    return mesh;
  }

  plane(one, box, size) {
    const n = new THREE.Vector3(...one.n);
    if (n.z > 0.999 && !one.moves) this.level = one.x[2];
    const middle = box.getCenter(new THREE.Vector3());
    const foot = middle.clone().sub(n.clone().multiplyScalar(middle.clone().sub(new THREE.Vector3(...one.x)).dot(n)));
    const side = n.z > 0.999 ? 1.9 * size : 1.3 * size;
    const mesh = new THREE.Mesh(new THREE.PlaneGeometry(side, side), glass(n.z > 0.999 ? 0.32 : 0.16));
    const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), n);
    const local = new THREE.Matrix4().compose(foot.sub(new THREE.Vector3(...one.x)), turn, new THREE.Vector3(1, 1, 1));
    mesh.geometry.applyMatrix4(local);
    mesh.receiveShadow = true;
    return mesh;
  }

  update(k, a) {
    for (const m of this.moving) {
      const at = (i) => m.pose.value(12 * k + i) * (1 - a) + (a > 0 ? m.pose.value(12 * (k + 1) + i) * a : 0);
      for (let i = 0; i < 3; i++) m.x[i] = at(i);
      for (let i = 0; i < 9; i++) m.R[i] = at(3 + i);
      placement(m.x, m.R, m.object.matrix);
    }
  }

  recolour(dark) {
    this.group.traverse((o) => {
      if (!o.material) return;
      if (o.isLine) o.material.color.set(dark ? 0x9aa5af : 0x5c6670);
      else if (o.material.transparent) o.material.color.set(dark ? 0x7d93a8 : 0x8fa3b5);
      else o.material.color.set(dark ? 0x6a737c : 0xb9c0c7);
    });
  }
}
