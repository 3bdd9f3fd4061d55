// SPDX-License-Identifier: Apache-2.0
// gif.js: an animated GIF from pictures of pixels. One palette for all of them (median cut over what the pictures hold), pixels that stay what they are are left out, LZW as the format wants it.
// A gif has 255 colours here and one that is no colour; nothing is dithered: flat areas stay flat and small.

class Bytes {
  constructor() { this.room = new Uint8Array(1 << 16); this.n = 0; }

  put(b) {
    if (this.n === this.room.length) { const more = new Uint8Array(2 * this.n); more.set(this.room); this.room = more; }
    this.room[this.n++] = b;
  }

  short(x) { this.put(x & 255); this.put((x >> 8) & 255); }

  text(s) { for (const c of s) this.put(c.charCodeAt(0)); }

  get all() { return this.room.subarray(0, this.n); }
}

const key = (r, g, b) => ((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3);

/** 255 colours for pictures of RGBA pixels: boxes of the colour cube are cut where they hold most. */
export function palette(pictures, most = 255) {
  const count = new Uint32Array(32768);
  const sum = new Float64Array(3 * 32768);
  for (const p of pictures) {
    for (let i = 0; i < p.length; i += 4) {
      const k = key(p[i], p[i + 1], p[i + 2]);
      count[k]++;
      sum[3 * k] += p[i]; sum[3 * k + 1] += p[i + 1]; sum[3 * k + 2] += p[i + 2];
    }
  }
  const colours = [];
  for (let k = 0; k < 32768; k++) if (count[k]) colours.push({ n: count[k], c: [0, 1, 2].map((j) => sum[3 * k + j] / count[k]) });
  const measure = (list) => {
    let [wide, axis] = [-1, 0];
    for (let j = 0; j < 3; j++) {
      let [lo, hi] = [255, 0];
      for (const x of list) { lo = Math.min(lo, x.c[j]); hi = Math.max(hi, x.c[j]); }
      if (hi - lo > wide) { wide = hi - lo; axis = j; }
    }
    return { list, wide, axis, n: list.reduce((a, x) => a + x.n, 0) };
  };
  const boxes = colours.length ? [measure(colours)] : [];
  while (boxes.length < most) {
    let at = -1;
    boxes.forEach((b, i) => { if (b.list.length > 1 && (at < 0 || b.wide * Math.sqrt(b.n) > boxes[at].wide * Math.sqrt(boxes[at].n))) at = i; });
    if (at < 0) break;
    const { list, axis, n } = boxes[at];
    list.sort((a, b) => a.c[axis] - b.c[axis]);
    let half = 0;
    let cut = 1;
    for (let seen = list[0].n; cut < list.length - 1 && (half = seen) < n / 2; cut++) seen += list[cut].n;
    boxes.splice(at, 1, measure(list.slice(0, cut)), measure(list.slice(cut)));
  }
  return boxes.map(({ list, n }) => [0, 1, 2].map((j) => Math.round(list.reduce((a, x) => a + x.n * x.c[j], 0) / n)));
}

/** The nearest colour of a palette, remembered for each cell of the cube. */
function matcher(colours) {
  const known = new Int16Array(32768).fill(-1);
  return (r, g, b) => {
    const k = key(r, g, b);
    if (known[k] < 0) {
      let best = Infinity;
      colours.forEach((c, i) => {
        const d = 2 * (c[0] - r) ** 2 + 4 * (c[1] - g) ** 2 + 3 * (c[2] - b) ** 2;
        if (d < best) { best = d; known[k] = i; }
      });
    }
    return known[k];
  };
}

/** LZW of 8-bit numbers, in blocks of at most 255 bytes. */
export function lzw(pixels, out) {
  const block = new Uint8Array(255);
  let [n, bits, held] = [0, 0, 0];
  const flush = () => { if (n) { out.put(n); for (let i = 0; i < n; i++) out.put(block[i]); n = 0; } };
  const emit = (code, width) => {
    held |= code << bits;
    bits += width;
    while (bits >= 8) { block[n++] = held & 255; held >>>= 8; bits -= 8; if (n === 255) flush(); }
  };
  let table = new Map();
  let [next, width] = [258, 9];
  out.put(8);
  emit(256, width);
  let prefix = pixels[0];
  for (let i = 1; i < pixels.length; i++) {
    const k = prefix * 256 + pixels[i];
    const found = table.get(k);
    if (found !== undefined) { prefix = found; continue; }
    emit(prefix, width);
    if (next < 4096) {
      table.set(k, next++);
      if (next > 1 << width && width < 12) width++;
    } else {
      emit(256, width);
      table = new Map();
      [next, width] = [258, 9];
    }
    prefix = pixels[i];
  }
  emit(prefix, width);
  emit(257, width);
  if (bits > 0) emit(0, 8 - bits);
  flush();
  out.put(0);
}

/** width, height; seconds of one picture; pictures: RGBA arrays. */
export function gif(width, height, seconds, pictures) {
  const out = new Bytes();
  const sample = pictures.length > 12 ? pictures.filter((_, i) => i % Math.ceil(pictures.length / 12) === 0) : pictures;
  const colours = palette(sample);
  const match = matcher(colours);
  out.text('GIF89a');
  out.short(width); out.short(height);
  out.put(0xf7); out.put(0); out.put(0); // a palette of 256
  for (let i = 0; i < 256; i++) for (let j = 0; j < 3; j++) out.put(colours[i] ? colours[i][j] : 0);
  out.put(0x21); out.put(0xff); out.put(11); out.text('NETSCAPE2.0'); out.put(3); out.put(1); out.short(0); out.put(0); // over and over
  const last = new Uint8Array(width * height).fill(255);
  const now = new Uint8Array(width * height);
  let shown = 0; // hundredths of a second so far: rounding must not add up
  pictures.forEach((p, f) => {
    let [x0, y0, x1, y1] = [width, height, -1, -1];
    for (let i = 0; i < now.length; i++) {
      const c = match(p[4 * i], p[4 * i + 1], p[4 * i + 2]);
      now[i] = c;
      if (f === 0 || c !== last[i]) {
        const x = i % width;
        const y = (i - x) / width;
        x0 = Math.min(x0, x); x1 = Math.max(x1, x); y0 = Math.min(y0, y); y1 = Math.max(y1, y);
      }
    }
    if (x1 < 0) [x0, y0, x1, y1] = [0, 0, 0, 0];
    const [w, h] = [x1 - x0 + 1, y1 - y0 + 1];
    const part = new Uint8Array(w * h);
    for (let y = 0; y < h; y++) {
      for (let x = 0; x < w; x++) {
        const i = (y0 + y) * width + x0 + x;
        part[y * w + x] = f > 0 && now[i] === last[i] ? 255 : now[i];
      }
    }
    last.set(now);
    const until = Math.round(100 * seconds * (f + 1));
    out.put(0x21); out.put(0xf9); out.put(4); out.put(0x05); out.short(Math.max(2, until - shown)); out.put(255); out.put(0); // 255 is no colour; stays when the next comes
    shown = until;
    out.put(0x2c); out.short(x0); out.short(y0); out.short(w); out.short(h); out.put(0);
    lzw(part, out);
  });
  out.put(0x3b);
  return out.all;
}
