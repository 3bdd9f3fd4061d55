// SPDX-License-Identifier: Apache-2.0
// gif.test.mjs: the encoder of gif.js against a small decoder written here after the format's own description.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gif, palette } from '../src/gif.js';

function unpack(codes, least) { // LZW
  const [clear, end] = [1 << least, (1 << least) + 1];
  let [width, table, at, held, bits] = [least + 1, null, 0, 0, 0];
  const out = [];
  let last = null;
  const reset = () => { table = Array.from({ length: end + 1 }, (_, i) => [i]); width = least + 1; last = null; };
  reset();
  for (;;) {
    while (bits < width) { assert.ok(at < codes.length, 'the codes end early'); held |= codes[at++] << bits; bits += 8; }
    const code = held & ((1 << width) - 1);
    held >>>= width;
    bits -= width;
    if (code === clear) { reset(); continue; }
    if (code === end) return out;
    const entry = code < table.length ? table[code] : [...last, last[0]];
    assert.ok(entry && (code < table.length || code === table.length), `code ${code} of ${table.length}`);
    for (const x of entry) out.push(x);
    if (last && table.length < 4096) table.push([...last, entry[0]]);
    if (table.length === 1 << width && width < 12) width++;
    last = entry;
  }
}

/** {width, height, frames: [RGB arrays], delays (1/100 s), loops} */
function decode(b) {
  const short = (i) => b[i] | (b[i + 1] << 8);
  assert.equal(Buffer.from(b.subarray(0, 6)).toString('latin1'), 'GIF89a');
  const [width, height] = [short(6), short(8)];
  const colour = (i) => [...b.subarray(13 + 3 * i, 16 + 3 * i)];
  let at = 13 + 3 * 256;
  const canvas = new Uint8Array(3 * width * height);
  const out = { width, height, frames: [], delays: [], loops: false };
  let none = -1;
  while (b[at] !== 0x3b) {
    if (b[at] === 0x21) {
      if (b[at + 1] === 0xf9) { none = b[at + 3] & 1 ? b[at + 6] : -1; out.delays.push(short(at + 4)); }
      if (b[at + 1] === 0xff) out.loops = true;
      at += 2;
      while (b[at]) at += b[at] + 1;
      at++;
      continue;
    }
    assert.equal(b[at], 0x2c);
    const [x0, y0, w, h] = [1, 3, 5, 7].map((k) => short(at + k));
    at += 10;
    const least = b[at++];
    const codes = [];
    while (b[at]) { codes.push(...b.subarray(at + 1, at + 1 + b[at])); at += b[at] + 1; }
    at++;
    const pixels = unpack(codes, least);
    assert.equal(pixels.length, w * h);
    pixels.forEach((c, i) => { if (c !== none) canvas.set(colour(c), 3 * ((y0 + Math.floor(i / w)) * width + x0 + (i % w))); });
    out.frames.push(canvas.slice());
  }
  return out;
}

const picture = (width, height, f) => { const p = new Uint8ClampedArray(4 * width * height).fill(255); for (let i = 0; i < width * height; i++) p.set(f(i % width, Math.floor(i / width)), 4 * i); return p; };

test('few colours come back exactly, frame by frame', () => {
  const [w, h] = [57, 31];
  const pictures = Array.from({ length: 5 }, (_, k) => picture(w, h, (x, y) => (Math.hypot(x - 10 - 8 * k, y - 15) < 9 ? [200, 48, 40] : y > 24 ? [64, 128, 96] : [248, 250, 251])));
  const g = decode(gif(w, h, 0.07, pictures));
  assert.deepEqual([g.width, g.height, g.frames.length, g.loops], [w, h, 5, true]);
  assert.equal(g.delays.reduce((a, x) => a + x), 35);
  pictures.forEach((p, k) => { for (let i = 0; i < w * h; i++) for (let c = 0; c < 3; c++) assert.equal(g.frames[k][3 * i + c], p[4 * i + c], `frame ${k}, pixel ${i}`); });
});

test('many colours are near, and the table of codes is begun anew', () => {
  const [w, h] = [300, 200];
  let seed = 1;
  const chance = () => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed / 2147483648; };
  const p = picture(w, h, (x, y) => [(255 * x) / w, (255 * y) / h, 255 * chance()].map(Math.floor));
  const g = decode(gif(w, h, 0.1, [p, p]));
  let worst = 0;
  let sum = 0;
  for (let i = 0; i < w * h; i++) for (let c = 0; c < 3; c++) { const d = Math.abs(g.frames[0][3 * i + c] - p[4 * i + c]); worst = Math.max(worst, d); sum += d; }
  assert.ok(sum / (3 * w * h) < 16, `mean ${sum / (3 * w * h)}`); // 255 colours for a whole cube
  assert.ok(worst < 90, `worst ${worst}`);
  assert.deepEqual(g.frames[1], g.frames[0]);
});

test('a palette holds the colours there are, and no more than 255', () => {
  const p = picture(16, 16, (x, y) => (x < 8 ? [0, 0, 0] : y < 8 ? [255, 255, 255] : [200, 0, 0]));
  assert.deepEqual(palette([p]).map(String).sort(), ['0,0,0', '200,0,0', '255,255,255']);
  assert.ok(palette([picture(64, 64, (x, y) => [4 * x, 4 * y, 2 * (x + y)])]).length <= 255);
});

test('one pixel, one frame', () => {
  const g = decode(gif(1, 1, 0.1, [picture(1, 1, () => [10, 200, 30])]));
  assert.deepEqual([...g.frames[0]], [10, 200, 30]);
});
