// SPDX-License-Identifier: Apache-2.0
// extent.js: the box that holds all bodies at all times, obstacles of finite size with them, and which way the scene is flat.
import * as THREE from 'three';

const reachOf = (body) => {
  let most = 0;
  for (const p of body.pieces || []) {
    const own = p.shape === 'block' ? Math.hypot(...p.size) : p.shape === 'hull' ? 0 : Math.hypot(p.radius, p.half);
    most = Math.max(most, Math.hypot(...p.x) + own);
  }
  for (const r of (body.pieces || []).length ? [] : body.marks || []) if (r) most = Math.max(most, Math.hypot(...r)); // a body without form is seen by its points
  return most;
};

export function extentOf(data) {
  const motion = new THREE.Box3();
  const p = new THREE.Vector3();
  let places = 0;
  let thick = 0;
  const every = Math.max(1, Math.floor(data.time.length / 250));
  const moments = Array.from({ length: Math.ceil(data.time.length / every) }, () => new THREE.Box3());
  for (const body of data.bodies) {
    const name = body.kind === 'lagrangian' ? 'points' : 'position';
    const c = data.channel(`${body.kind}/${body.name}/${name}`);
    if (!c || c.width % 3) continue;
    const reach = reachOf(body);
    const out = new Float64Array(c.width);
    for (let k = 0; k < data.time.length; k += every) {
      c.sample(k, 0, out);
      for (let i = 0; i < c.width; i += 3) {
        if (!Number.isFinite(out[i] + out[i + 1] + out[i + 2])) continue;
        motion.expandByPoint(p.set(out[i], out[i + 1], out[i + 2]));
        moments[k / every].expandByPoint(p);
        places++;
      }
    }
    thick = Math.max(thick, reach);
  }
  for (const joint of data.page.joints || []) { // pivots on the ground are where the body's place is at the start
    for (const place of [joint.a, joint.b]) {
      const body = place && data.bodies[place.body];
      if (body && body.kind === 'rigid' && place.r && !joint.b) {
        const x = data.channel(`rigid/${body.name}/position`);
        const q = data.channel(`rigid/${body.name}/orientation`);
        if (!x || !q) continue;
        const at = new THREE.Vector3(...x.sample(0, 0, [0, 0, 0]));
        const t = q.sampleTurns(0, 0, [0, 0, 0, 0]);
        motion.expandByPoint(p.set(...place.r).applyQuaternion(new THREE.Quaternion(t[1], t[2], t[3], t[0])).add(at));
      }
    }
  }
  if (places === 0) motion.set(new THREE.Vector3(-0.5, -0.5, -0.5), new THREE.Vector3(0.5, 0.5, 0.5));
  const flatOf = motion.getSize(new THREE.Vector3());
  const most = Math.max(flatOf.x, flatOf.y, flatOf.z, thick, 1e-9);
  const flat = ['x', 'y', 'z'].filter((k) => flatOf[k] < 0.02 * most);
  const box = motion.clone().expandByScalar(Math.min(thick, most));
  const inner = box.clone();
  const room = box.getSize(new THREE.Vector3()).length();
  for (const o of data.page.obstacles || []) { // towards obstacles, as far as the scene is wide
    if (!['ball', 'stick', 'drum', 'block'].includes(o.shape)) continue;
    const r = o.shape === 'block' ? o.size : [1, 1, 1].map(() => Math.hypot(o.radius, o.shape === 'ball' ? 0 : o.half));
    const far = o.half > 3 * room ? 0.05 * room : 0.5 * room; // endless ones say nothing about the size of the scene
    for (const s of [-1, 1]) {
      p.set(o.x[0] + s * Math.min(r[0], 4 * room), o.x[1] + s * Math.min(r[1], 4 * room), o.x[2] + s * Math.min(r[2], 4 * room));
      p.clamp(inner.min.clone().subScalar(far), inner.max.clone().addScalar(far));
      box.expandByPoint(p);
    }
  }
  const now = new THREE.Vector3(); // the largest sizes at one time
  for (const m of moments) if (!m.isEmpty()) now.max(m.getSize(p));
  now.addScalar(2 * thick);
  const finite = (data.page.obstacles || []).some((o) => o.shape !== 'plane') || (data.page.joints || []).some((j) => !j.b && j.fix === 63);
  const wide = Math.max(now.x, now.y, now.z);
  const travels = !finite && wide < 0.6 * most && wide > 0.02 * most; // a single point is seen by its way
  const s = box.getSize(new THREE.Vector3());
  const detail = travels ? Math.max(now.x, now.y, now.z) : Math.max(s.x, s.y, s.z, 1e-9); // what small things are measured by
  return { motion, box, now, travels, detail, size: Math.max(s.x, s.y, s.z, 1e-9), flat: flat.length === 1 ? flat[0] : null, line: flat.length === 2 };
}
