// SPDX-License-Identifier: Apache-2.0
// stage.js: the three-dimensional view: everything that is drawn, light, camera, and one picture when something changed. The world keeps its own units inside a group that
// is scaled to size one, so that a microscope and a bridge need the same light and the same camera.
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { table, linearRgb, bodyColour } from './colours.js';
import { locate } from './data.js';
import { extentOf } from './extent.js';
import { rangeOf } from './fields.js';
import { Ghosts } from './ghosts.js';
import { Ground } from './ground.js';
import { Joints } from './joints.js';
import { Loads } from './loads.js';
import { Marks } from './marks.js';
import { Points } from './points.js';
import { References } from './references.js';
import { Rigids } from './rigids.js';
import { Trails } from './trails.js';
import { Tubes } from './tubes.js';
import { Walls } from './walls.js';

const SHADOW_TRIANGLES = 30000;
const MANY_TRIANGLES = 30000;

/** Is there no graphics card? Then smooth edges of a large scene would cost more than all the rest. */
function inSoftware() {
  const gl = document.createElement('canvas').getContext('webgl2');
  const info = gl && gl.getExtension('WEBGL_debug_renderer_info');
  const name = info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
  if (gl) gl.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}
const directions = { front: [0, -1, 0.0001], top: [0, -0.0001, 1], side: [1, 0, 0.0001], iso: [0.5, -0.82, 0.42] };

export class Stage {
  constructor(canvas, data, ledger, analysis = null) {
    this.data = data;
    this.canvas = canvas;
    this.extent = extentOf(data);
    const { size, detail } = this.extent;
    this.tubes = new Tubes(data, detail);
    this.rigids = new Rigids(data, detail);
    const many = this.tubes.triangles + this.rigids.triangles > MANY_TRIANGLES;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !(many && inSoftware()), alpha: true });
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(32, 1, 0.01, 100);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener('change', () => this.ask());
    this.world = new THREE.Group();
    this.scene.add(this.world);
    this.points = new Points(data, detail);
    this.loads = new Loads(data, detail, (place, out) => this.placeOf(place, out), (place) => this.turnOf(place), (place) => this.middleOf(place.body));
    this.makeRoom();
    const centre = this.extent.box.getCenter(new THREE.Vector3());
    this.world.scale.setScalar(1 / size);
    this.world.position.copy(centre).multiplyScalar(-1 / size);
    this.walls = new Walls(data, this.extent.box, size);
    this.joints = new Joints(data, detail, (place, out) => this.placeOf(place, out), this.rigids);
    this.marks = new Marks(ledger, detail, data.time.length > 1 ? data.time[data.time.length - 1] - data.time[0] : 1);
    this.trails = new Trails(data, this.points);
    this.references = new References(data, detail, (place, out) => this.placeOf(place, out), (place) => this.turnOf(place));
    this.ghosts = new Ghosts(data, analysis ? analysis.kind : null);
    const shadows = this.tubes.triangles + this.rigids.triangles < SHADOW_TRIANGLES;
    const level = this.walls.level !== null ? this.walls.level : this.extent.box.min.z - 0.001 * size;
    this.ground = new Ground(this.extent.box, level, size, detail, shadows);
    if (this.tubes.rods.length) this.world.add(this.tubes.mesh, this.tubes.directors);
    this.world.add(this.walls.group, this.ground.group, this.rigids.group, this.points.group, this.joints.group, this.joints.arms,
      this.marks.group, this.trails.group, this.loads.group, this.references.group, this.ghosts.group);
    this.light(shadows);
    this.field = null;
    this.margin = 1.14; // around the box
    this.above = this.below = 0;
    this.follow = null;
    this.dark = false;
    this.paint = { body: () => [0.5, 0.5, 0.5], number: () => {} };
    this.listeners = [];
    this.asked = false;
    this.moment = { k: -1, a: 0, t: data.time[0] || 0 };
    this.drawn = 0;
    this.haste = 0; // 0: all there is; 1, 2: fewer pixels and rings, while a slow computer plays
    this.pace = [];
  }

  /** The box must hold the arrows of loads, too: as they are at first, in the middle and at last. */
  makeRoom() {
    const last = this.data.time.length - 1;
    if (!this.loads.items.length || last < 0) return;
    for (const k of new Set([0, last >> 1, last])) {
      this.tubes.sample(k, 0);
      this.rigids.sample(k, 0);
      this.points.sample(k, 0);
      this.loads.update(k, 0);
      for (const { mesh, one } of this.loads.items) {
        if (!mesh.visible) continue;
        const tip = new THREE.Vector3(0, 0, one.moment ? 0.5 : 1.15).applyQuaternion(mesh.quaternion).multiplyScalar(mesh.scale.x).add(mesh.position);
        this.extent.box.expandByPoint(tip).expandByPoint(mesh.position);
      }
    }
  }

  light(shadows) {
    this.hemisphere = new THREE.HemisphereLight(0xffffff, 0xb4b9bf, 1.9);
    this.sun = new THREE.DirectionalLight(0xffffff, 2.1);
    this.sun.position.set(-0.7, -1.1, 2.4);
    this.fill = new THREE.DirectionalLight(0xffffff, 0.75); // goes with the camera
    this.fill.position.set(0.4, 0.3, 1);
    if (shadows) {
      this.renderer.shadowMap.enabled = true;
      this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
      this.sun.castShadow = true;
      this.sun.shadow.mapSize.set(1024, 1024);
      Object.assign(this.sun.shadow.camera, { left: -1.1, right: 1.1, top: 1.1, bottom: -1.1, near: 0.5, far: 6 });
      this.sun.shadow.bias = -0.0006;
      this.sun.shadow.normalBias = 0.004;
      this.sun.shadow.radius = 5;
    }
    this.camera.add(this.fill, this.fill.target);
    this.fill.target.position.set(0, 0, -1);
    this.scene.add(this.hemisphere, this.sun, this.camera);
  }

  placeOf(place, out) {
    if (!place) return false;
    const body = this.data.bodies[place.body];
    if (!body) return false;
    if (body.kind === 'rod') return this.tubes.placeOf(place.body, place.s, out);
    if (body.kind === 'rigid') return this.rigids.placeOf(place.body, place.r, out);
    return this.points.placeOf(place.body, place.point, out);
  }

  /** The axes at a place, or null. */
  turnOf(place) {
    const body = this.data.bodies[place.body];
    if (body && body.kind === 'rod') return this.tubes.turnOf(place.body, place.s);
    const one = body && body.kind === 'rigid' ? this.rigids.find(place.body) : null;
    return one ? new THREE.Quaternion(one.q[1], one.q[2], one.q[3], one.q[0]) : null;
  }

  /** The middle of a body in the units of the world, or null. */
  middleOf(index) {
    const c = this.centreOf(index);
    return c ? this.world.worldToLocal(c) : null;
  }

  setTheme(dark) {
    this.dark = dark;
    this.makePaint();
    this.walls.recolour(dark);
    this.ground.recolour(dark);
    this.joints.recolour(dark);
    this.marks.recolour(dark);
    this.loads.recolour(dark);
    this.ghosts.recolour(dark);
    this.points.recolour(this.paint);
    this.trails.recolour(this.paint);
    this.hemisphere.intensity = dark ? 1.5 : 1.9;
    this.recolour();
  }

  setField(field) {
    this.field = field;
    this.makePaint();
    this.recolour();
  }

  makePaint() {
    const own = this.data.bodies.map((b) => linearRgb(bodyColour(b.index, this.dark)));
    const grey = linearRgb(this.dark ? '#8a949e' : '#7d8790');
    const { field } = this;
    const range = field ? rangeOf(field, this.data.time.length) : null;
    const colours = range ? table(range.map) : null;
    this.paint = {
      body: (i) => (field && !field.sources.has(i) && ['rod', 'rigid'].includes(this.data.bodies[i].kind) ? grey : own[i]),
      number: (x, out) => {
        const u = range ? Math.max(0, Math.min(1, (x - range.lo) / (range.hi - range.lo))) : 0;
        const i = 3 * Math.round(255 * (u === u ? u : 0));
        out[0] = colours[i]; out[1] = colours[i + 1]; out[2] = colours[i + 2];
      },
    };
  }

  recolour() {
    const { k, a } = this.moment;
    if (k >= 0) {
      this.tubes.recolour(k, a, this.field, this.paint);
      this.rigids.recolour(k, a, this.field, this.paint);
    }
    this.ask();
  }

  setTime(t) {
    const { k, a } = locate(this.data.time, t);
    this.moment = { k, a, t };
    if (this.data.time.length === 0) return;
    this.tubes.update(k, a, this.field, this.paint);
    this.rigids.update(k, a, this.field, this.paint);
    this.points.update(k, a);
    this.walls.update(k, a);
    this.joints.update();
    this.loads.update(k, a);
    this.references.update(k, a);
    this.ghosts.update(t);
    if (this.marks.group.visible) this.marks.update(t);
    if (this.trails.group.visible) this.trails.update(k, a);
    this.keepUp();
    this.ask();
  }

  refresh() { this.setTime(this.moment.t); }

  /** Where a body is now, in the units of the stage. */
  centreOf(index, out = new THREE.Vector3()) {
    const body = this.data.bodies[index];
    const p = [0, 0, 0];
    if (body.kind === 'rod') {
      const rod = this.tubes.rods.find((r) => r.body === body);
      if (!rod) return null;
      for (let i = 0; i < rod.n; i++) for (let c = 0; c < 3; c++) p[c] += rod.p[3 * i + c] / rod.n;
    } else if (body.kind === 'rigid') {
      if (!this.rigids.placeOf(index, null, p)) return null;
    } else {
      const one = this.points.bodies.find((b) => b.body === body);
      if (!one) return null;
      for (let i = 0; i < one.n; i++) for (let c = 0; c < 3; c++) p[c] += one.p[3 * i + c] / one.n;
    }
    return out.set(...p).applyMatrix4(this.world.matrixWorld);
  }

  /** The middle of all bodies now. */
  centreOfAll(out = new THREE.Vector3()) {
    const box = new THREE.Box3();
    const p = new THREE.Vector3();
    for (const rod of this.tubes.rods) for (let i = 0; i < rod.n; i++) box.expandByPoint(p.set(rod.p[3 * i], rod.p[3 * i + 1], rod.p[3 * i + 2]));
    for (const one of this.rigids.bodies) box.expandByPoint(p.fromArray(one.x));
    for (const one of this.points.bodies) for (let i = 0; i < one.n; i++) box.expandByPoint(p.set(one.p[3 * i], one.p[3 * i + 1], one.p[3 * i + 2]));
    return box.isEmpty() ? null : box.getCenter(out).applyMatrix4(this.world.matrixWorld);
  }

  whereIs(index) { return index === 'all' ? this.centreOfAll() : this.centreOf(index); }

  /** A body by its number, 'all' of them, or null: the camera goes with it. */
  setFollow(index) {
    this.follow = index;
    this.world.updateMatrixWorld();
    this.followed = index === null ? null : this.whereIs(index);
    if (this.followed) {
      const shift = this.followed.clone().sub(this.controls.target);
      this.controls.target.add(shift);
      this.camera.position.add(shift);
      this.controls.update();
    }
    this.ask();
  }

  keepUp() {
    if (this.follow === null || !this.followed) return;
    const now = this.whereIs(this.follow);
    if (!now) return;
    const shift = now.clone().sub(this.followed);
    this.followed = now;
    this.controls.target.add(shift);
    this.camera.position.add(shift);
    this.controls.update();
  }

  resize(width, height) {
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2) * [1, 0.8, 0.6][this.haste]);
    this.renderer.setSize(width, height, false);
    this.extentOnScreen = [width, height];
    const room = Math.max(height - this.above - this.below, 0.4 * height, 1);
    this.camera.aspect = width / room;
    this.camera.setViewOffset(width, room, 0, -this.above, width, height);
    this.camera.updateProjectionMatrix();
    this.ask();
  }

  /** How many pixels above and below the scene shall keep clear of. */
  setRoom(above, below) {
    this.above = above;
    this.below = below;
  }

  /** The view the scene is understood best from: across the plane that it is flat in, a little from above. */
  get home() {
    const flat = this.swings() || this.extent.flat;
    return flat === 'y' ? [0.22, -1, 0.2] : flat === 'x' ? [1, -0.25, 0.2] : flat === 'z' ? [0.12, -0.62, 0.85] : directions.iso;
  }

  /** Of a mode that goes mainly one way: the level axis that it does not move along. */
  swings() {
    const { kind, shown } = this.ghosts;
    if (kind !== 'modes' || shown < 1) return null;
    const way = [0, 0, 0];
    const first = this.data.time.findIndex((t) => Math.floor(t + 1e-9) === shown);
    for (const c of this.data.channels) {
      if (!['position', 'points'].includes(c.what) || c.width % 3 || first < 0) continue;
      const rest = c.sample(0, 0, new Float64Array(c.width));
      const out = new Float64Array(c.width);
      for (let k = first; k < this.data.time.length && Math.floor(this.data.time[k] + 1e-9) === shown; k += 3) {
        c.sample(k, 0, out);
        for (let i = 0; i < out.length; i++) way[i % 3] += (out[i] - rest[i]) ** 2;
      }
    }
    const most = Math.max(...way);
    return way[0] === most && way[1] < 0.1 * most ? 'y' : way[1] === most && way[0] < 0.1 * most ? 'x' : null;
  }

  /** A name, or a direction to look from. */
  look(name) {
    this.view = name;
    const d = new THREE.Vector3(...(Array.isArray(name) ? name : name === 'home' ? this.home : directions[name] || this.camera.position.clone().sub(this.controls.target).toArray())).normalize();
    this.fit(d);
  }

  /** Puts the camera in direction d, as near as all corners of the box allow. */
  fit(d = this.camera.position.clone().sub(this.controls.target).normalize()) {
    const { box, size, now } = this.extent; // following, the camera needs to see what there is at one time, and some way around
    const half = (this.follow === null ? box.getSize(new THREE.Vector3()).multiplyScalar(0.5) : now.clone().multiplyScalar(0.75)).divideScalar(size);
    const target = new THREE.Vector3(0, 0, 0);
    const right = new THREE.Vector3().crossVectors(this.camera.up, d).normalize();
    const up = new THREE.Vector3().crossVectors(d, right);
    const ty = Math.tan((this.camera.fov * Math.PI) / 360);
    const tx = ty * this.camera.aspect;
    let lo = [Infinity, Infinity];
    let hi = [-Infinity, -Infinity];
    let away = 0;
    for (let pass = 0; pass < 4; pass++) { // distance and middle of the picture depend on each other
      away = 0;
      for (let i = 0; i < 8; i++) {
        const c = new THREE.Vector3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z).sub(target);
        away = Math.max(away, c.dot(d) + Math.max(Math.abs(c.dot(right)) / tx, Math.abs(c.dot(up)) / ty));
      }
      lo = [Infinity, Infinity];
      hi = [-Infinity, -Infinity];
      for (let i = 0; i < 8; i++) {
        const c = new THREE.Vector3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z).sub(target);
        const depth = away - c.dot(d);
        [c.dot(right) / depth, c.dot(up) / depth].forEach((v, k) => { lo[k] = Math.min(lo[k], v); hi[k] = Math.max(hi[k], v); });
      }
      target.addScaledVector(right, 0.5 * (lo[0] + hi[0]) * away).addScaledVector(up, 0.5 * (lo[1] + hi[1]) * away);
    }
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(d, away * this.margin);
    this.camera.near = away * 0.02;
    this.camera.far = away * 12;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    if (this.follow !== null) this.setFollow(this.follow);
    this.ask();
  }

  /** Playing: pictures that come later than 30 in a second are drawn with less; at rest everything is drawn again. */
  hurry(playing) {
    const now = performance.now();
    if (!playing) {
      this.pace.length = 0;
      this.setHaste(0);
      return;
    }
    this.pace.push(now);
    if (this.pace.length < 9) return;
    const each = (now - this.pace[0]) / (this.pace.length - 1);
    this.pace.length = 0;
    if (each > 33 && this.haste < 2) this.setHaste(this.haste + 1);
  }

  setHaste(haste) {
    if (haste === this.haste) return;
    this.haste = haste;
    this.tubes.setCoarse(this.tubes.triangles > MANY_TRIANGLES ? [1, 2, 4][haste] : 1);
    this.resize(...this.extentOnScreen);
  }

  cameraNow() {
    return { position: this.world.worldToLocal(this.camera.position.clone()).toArray(), target: this.world.worldToLocal(this.controls.target.clone()).toArray(), near: this.camera.near, far: this.camera.far };
  }

  setCamera({ position, target, near, far }) {
    this.world.updateMatrixWorld();
    this.camera.position.copy(this.world.localToWorld(new THREE.Vector3(...position)));
    this.controls.target.copy(this.world.localToWorld(new THREE.Vector3(...target)));
    Object.assign(this.camera, { near, far });
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.ask();
  }

  dispose() {
    this.gone = true;
    this.controls.dispose();
    this.scene.traverse((o) => { if (o.geometry) o.geometry.dispose(); if (o.material) o.material.dispose(); });
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  /** One picture, soon. */
  ask() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      if (!this.gone) this.draw();
    });
  }

  draw() {
    this.renderer.render(this.scene, this.camera);
    if (this.drawn++ === 0) this.firstAt = performance.now();
    for (const f of this.listeners) f(this);
  }

  /** A point of the world on the canvas, in pixels; null when it is behind. */
  project(p) {
    const v = new THREE.Vector3(...p).applyMatrix4(this.world.matrixWorld).project(this.camera);
    if (v.z > 1) return null;
    return [((v.x + 1) / 2) * this.canvas.clientWidth, ((1 - v.y) / 2) * this.canvas.clientHeight];
  }
}
