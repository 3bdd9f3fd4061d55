// SPDX-License-Identifier: Apache-2.0
// data.js: what the page holds: JSON with references into one block of base64. Arrays are views of that block, read where they lie; those of 16 or 8 bits are parts of a range.

function decode(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text).buffer;
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes.buffer;
}

const views = { f64: Float64Array, f32: Float32Array, u16: Uint16Array, u8: Uint8Array };

/** An array of the page: value(i) = lo + step * raw[i]. */
class Numbers {
  constructor(block, ref) {
    this.raw = new views[ref.type](block, ref.at, ref.n);
    const most = ref.type === 'u16' ? 65534 : ref.type === 'u8' ? 254 : 0;
    this.step = most ? (ref.hi - ref.lo) / most : 1;
    this.lo = most ? ref.lo : 0;
    this.none = most ? most + 1 : -1;
    this.length = ref.n;
  }

  value(i) {
    const k = this.raw[i];
    return k === this.none && this.none > 0 ? NaN : this.lo + this.step * k;
  }

  toArray() {
    return Float64Array.from({ length: this.length }, (_, i) => this.value(i));
  }
}

/** A recorded quantity: `width` numbers for each frame. */
class Channel {
  constructor(block, one) {
    this.name = one.name;
    this.unit = one.unit === '1' ? '' : one.unit;
    this.part = one.part || null;
    this.shape = one.shape;
    this.width = one.shape.reduce((a, b) => a * b, 1);
    this.numbers = new Numbers(block, one.data);
    const [kind, ...rest] = one.name.split('/');
    this.kind = kind;
    this.what = rest.length > 1 ? rest[rest.length - 1] : '';
    this.of = rest.length > 1 ? rest.slice(0, -1).join('/') : rest.join('/');
  }

  /** The numbers between frame k and the next one, a of the way, into out. */
  sample(k, a, out) {
    const { raw, lo, step } = this.numbers;
    const at = k * this.width;
    const next = a > 0 ? at + this.width : at;
    const b = 1 - a;
    for (let i = 0; i < this.width; i++) out[i] = lo + step * (b * raw[at + i] + a * raw[next + i]);
    return out;
  }

  /** The same for quaternions, four numbers each, the short way round and of length one. */
  sampleTurns(k, a, out) {
    const { raw, lo, step } = this.numbers;
    const at = k * this.width;
    const next = a > 0 ? at + this.width : at;
    for (let i = 0; i < this.width; i += 4) {
      let dot = 0;
      for (let j = i; j < i + 4; j++) dot += (lo + step * raw[at + j]) * (lo + step * raw[next + j]);
      const s = dot < 0 ? -a : a;
      let n = 0;
      for (let j = i; j < i + 4; j++) {
        out[j] = (1 - a) * (lo + step * raw[at + j]) + s * (lo + step * raw[next + j]);
        n += out[j] * out[j];
      }
      n = n > 0 ? 1 / Math.sqrt(n) : 0;
      for (let j = i; j < i + 4; j++) out[j] *= n;
    }
    return out;
  }
}

/** Reads the page; everything else works on what this gives. */
export function readPage(doc) {
  const page = JSON.parse(doc.getElementById('zwang-data').textContent);
  const element = doc.getElementById('zwang-arrays');
  const block = decode(element.textContent.trim());
  element.remove();
  const numbers = (ref) => (ref ? new Numbers(block, ref) : null);
  const channels = (page.channels || []).map((c) => new Channel(block, c));
  const plots = (page.plots || []).map((c) => new Channel(block, c));
  const constants = new Map((page.constants || []).map((c) => [c.name, numbers(c.data)]));
  const time = page.time ? numbers(page.time).toArray() : new Float64Array(0);
  const plotTime = page.plot_time ? numbers(page.plot_time).toArray() : new Float64Array(0);
  return {
    page,
    numbers,
    channels,
    plots,
    constants,
    time,
    plotTime,
    timeUnit: page.time_unit === '1' ? '' : page.time_unit || 's',
    channel: (name) => channels.find((c) => c.name === name && !c.part) || null,
    bodies: listBodies(page, channels),
  };
}

/** Bodies of the model in its order; without a model those that were recorded. */
function listBodies(page, channels) {
  const bodies = (page.bodies || []).map((b) => ({ ...b }));
  if (bodies.length === 0) {
    for (const c of channels) {
      if (['rod', 'rigid', 'lagrangian', 'field'].includes(c.kind) && !bodies.some((b) => b.kind === c.kind && b.name === c.of)) {
        bodies.push({ name: c.of, kind: c.kind });
      }
    }
  }
  bodies.forEach((b, i) => { b.index = i; });
  return bodies;
}

/** Which frame a time lies in, and how far towards the next. */
export function locate(time, t) {
  const last = time.length - 1;
  if (last < 1 || !(t > time[0])) return { k: 0, a: 0 };
  if (t >= time[last]) return { k: last, a: 0 };
  let lo = 0;
  let hi = last;
  while (hi - lo > 1) {
    const middle = (lo + hi) >> 1;
    if (time[middle] <= t) lo = middle; else hi = middle;
  }
  const step = time[hi] - time[lo];
  return { k: lo, a: step > 0 ? (t - time[lo]) / step : 0 };
}
