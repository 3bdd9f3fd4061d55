// SPDX-License-Identifier: Apache-2.0
// fields.js: numbers that colour bodies: what was recorded, and what follows from it. A field gives one number for each node of a rod, or one for a rigid body.

const norm = (v, i, from = 0, to = 3) => {
  let sum = 0;
  for (let k = from; k < to; k++) sum += v[3 * i + k] * v[3 * i + k];
  return Math.sqrt(sum);
};

// key, label, unit, sign, channel it comes from, the part that stands in its place in thinned pages, one number of vector i
const kinds = [
  { key: 'speed', label: 'Speed', what: 'velocity', part: 'speed', of: (v, i) => norm(v, i) },
  { key: 'bending', label: 'Bending curvature', what: 'curvature', part: 'bending', of: (v, i) => norm(v, i, 0, 2) },
  { key: 'twist', label: 'Twist', what: 'curvature', part: 'twist', sign: true, of: (v, i) => v[3 * i + 2] },
  { key: 'stretch', label: 'Stretch', what: 'strain', part: 'stretch', sign: true, of: (v, i) => v[3 * i + 2] },
  { key: 'shear', label: 'Shear strain', what: 'strain', of: (v, i) => norm(v, i, 0, 2) },
  { key: 'tension', label: 'Tension', what: 'force', part: 'tension', sign: true, of: (v, i) => v[3 * i + 2] },
  { key: 'shear-force', label: 'Shear force', what: 'force', of: (v, i) => norm(v, i, 0, 2) },
  { key: 'bending-moment', label: 'Bending moment', what: 'moment', of: (v, i) => norm(v, i, 0, 2) },
  { key: 'torque', label: 'Torque', what: 'moment', sign: true, of: (v, i) => v[3 * i + 2] },
  { key: 'spin', label: 'Spin', what: 'spin', of: (v, i) => norm(v, i) },
];

/** What follows from strains and the stiffness of the section where forces were not recorded: [key, label, unit, sign, recorded, part, components (stiffness, number), straight only]. */
const derived = [
  { key: 'tension', label: 'Tension', unit: 'N', sign: true, what: 'strain', part: 'stretch', from: [[5, 2]] },
  { key: 'shear-force', label: 'Shear force', unit: 'N', what: 'strain', from: [[3, 0], [4, 1]] },
  { key: 'bending-moment', label: 'Bending moment', unit: 'N m', what: 'curvature', from: [[0, 0], [1, 1]], straight: true },
  { key: 'torque', label: 'Torque', unit: 'N m', sign: true, what: 'curvature', part: 'twist', from: [[2, 2]], straight: true },
];

function derivedSource(channel, stiffness, kind) {
  const room = new Float64Array(channel.width);
  const one = kind.from.length === 1;
  const width = channel.part ? 1 : 3;
  const k = (i, c) => stiffness.value(Math.min(6 * i + c, stiffness.length - 6 + c));
  return {
    count: channel.width / width,
    sample(at, a, out) {
      channel.sample(at, a, room);
      for (let i = 0; i < out.length; i++) {
        const parts = kind.from.map(([c, j]) => k(i, c) * room[channel.part ? i : 3 * i + j]);
        out[i] = one ? parts[0] : Math.hypot(...parts);
      }
    },
  };
}

/** Elastic energy for each unit of length of a rod that is straight by nature: half of stiffness times strain squared, of all six. */
function energySource(data, body) {
  const get = (what) => data.channel(`rod/${body.name}/${what}`);
  const [e, k] = ['strain', 'curvature'].map(get);
  const stiffness = body.stiffness ? data.numbers(body.stiffness) : null;
  if (!(e && k && stiffness) || !body.naturally_straight) return null;
  const room = [e, k].map((c) => new Float64Array(c.width));
  return {
    count: e.width / 3,
    sample(at, a, out) {
      e.sample(at, a, room[0]); k.sample(at, a, room[1]);
      for (let i = 0; i < out.length; i++) {
        let w = 0;
        for (let c = 0; c < 3; c++) {
          w += stiffness.value(Math.min(6 * i + c, stiffness.length - 6 + c)) * room[1][3 * i + c] ** 2;
          w += stiffness.value(Math.min(6 * i + 3 + c, stiffness.length - 3 + c)) * room[0][3 * i + c] ** 2;
        }
        out[i] = w / 2;
      }
    },
  };
}

function vectorSource(channel, of) {
  if (channel.part || channel.shape.length < 1 || channel.width % 3) return { count: channel.width, sample: (k, a, out) => channel.sample(k, a, out) };
  const room = new Float64Array(channel.width);
  return {
    count: channel.width / 3,
    sample(k, a, out) {
      channel.sample(k, a, room);
      for (let i = 0; i < out.length; i++) out[i] = of(room, i);
    },
  };
}

const named = (what) => { const words = what.replace(/_/g, ' '); return words.charAt(0).toUpperCase() + words.slice(1); };

/** What can colour the bodies of these results: [{key, label, unit, sign, sources: Map(body index -> source)}]. */
export function listFields(data) {
  const fields = new Map();
  const add = (key, label, unit, sign, body, source) => {
    if (!fields.has(key)) fields.set(key, { key, label, unit, sign, sources: new Map(), range: null });
    fields.get(key).sources.set(body.index, source);
  };
  for (const body of data.bodies) {
    if (body.kind !== 'rod' && body.kind !== 'rigid') continue;
    for (const kind of kinds) {
      const found = data.channels.find((c) => c.kind === body.kind && c.of === body.name && c.what === kind.what
        && (c.part ? c.part === kind.part : c.width % 3 === 0));
      if (found) add(kind.key, kind.label, found.unit, Boolean(kind.sign), body, vectorSource(found, kind.of));
    }
    for (const kind of body.kind === 'rod' && body.stiffness ? derived : []) {
      if (fields.get(kind.key)?.sources.has(body.index) || (kind.straight && !body.naturally_straight)) continue;
      const found = data.channels.find((c) => c.kind === 'rod' && c.of === body.name && c.what === kind.what && (c.part ? c.part === kind.part : c.width % 3 === 0));
      if (found) add(kind.key, kind.label, kind.unit, Boolean(kind.sign), body, derivedSource(found, data.numbers(body.stiffness), kind));
    }
    const energy = body.kind === 'rod' ? energySource(data, body) : null;
    if (energy) add('energy', 'Elastic energy per length', 'J/m', false, body, energy);
    for (const c of data.channels) { // anything else that has a number or a vector for each node or link
      if (c.kind !== body.kind || c.of !== body.name || c.part || body.kind !== 'rod' || ['position', 'orientation'].includes(c.what) || kinds.some((k) => k.what === c.what)) continue;
      if (c.shape.length === 1) add(c.what, named(c.what), c.unit, true, body, { count: c.width, sample: (k, a, out) => c.sample(k, a, out) });
      else if (c.shape.length === 2 && c.shape[1] === 3) add(c.what, `${named(c.what)}, size`, c.unit, false, body, vectorSource(c, (v, i) => norm(v, i)));
    }
  }
  return [...fields.values()];
}

/** Least and greatest number of a field over all frames: colours mean the same at every time. */
export function rangeOf(field, frames) {
  if (field.range) return field.range;
  let lo = Infinity;
  let hi = -Infinity;
  const every = Math.max(1, Math.floor(frames / 400));
  for (const source of field.sources.values()) {
    const out = new Float64Array(source.count);
    for (let k = 0; k < frames; k += k + every < frames || k === frames - 1 ? every : frames - 1 - k) {
      source.sample(k, 0, out);
      for (const x of out) {
        if (x < lo) lo = x;
        if (x > hi) hi = x;
      }
    }
  }
  if (!(lo <= hi)) { lo = 0; hi = 1; }
  let sign = field.sign && lo < 0 && hi > 0 && Math.min(-lo, hi) > 1e-6 * Math.max(-lo, hi);
  if (sign) { hi = Math.max(-lo, hi); lo = -hi; } else if (!field.sign && lo > 0 && lo < 0.3 * hi) lo = 0;
  if (hi - lo < 1e-9 * Math.max(Math.abs(lo), Math.abs(hi), 1e-30)) { hi = lo + Math.max(Math.abs(lo), 1) * 1e-3; sign = false; }
  const even = hi - lo < 2e-3 * Math.max(Math.abs(lo), Math.abs(hi)); // the numbers at the ends of a bar would be the same
  field.range = { lo, hi, map: sign ? 'sign' : 'size', even };
  return field.range;
}
