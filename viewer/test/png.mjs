// SPDX-License-Identifier: Apache-2.0
// png.mjs: pixels of a screenshot: 8-bit RGB and RGBA, not interlaced, which is what browsers write.
import { inflateSync } from 'node:zlib';

export function readPng(file) {
  let at = 8;
  let width = 0;
  let height = 0;
  let channels = 0;
  const parts = [];
  while (at < file.length) {
    const n = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    const body = file.subarray(at + 8, at + 8 + n);
    if (type === 'IHDR') {
      width = body.readUInt32BE(0);
      height = body.readUInt32BE(4);
      channels = { 2: 3, 6: 4 }[body[9]];
      if (body[8] !== 8 || !channels || body[12]) throw new Error('not a PNG of 8-bit colours');
    } else if (type === 'IDAT') parts.push(body);
    at += 12 + n;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const row = width * channels;
  const out = new Uint8Array(row * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (row + 1)];
    for (let x = 0; x < row; x++) {
      const v = raw[y * (row + 1) + 1 + x];
      const a = x >= channels ? out[y * row + x - channels] : 0;
      const b = y ? out[(y - 1) * row + x] : 0;
      const c = y && x >= channels ? out[(y - 1) * row + x - channels] : 0;
      let guess = 0;
      if (filter === 1) guess = a;
      else if (filter === 2) guess = b;
      else if (filter === 3) guess = (a + b) >> 1;
      else if (filter === 4) {
        const p = a + b - c;
        const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
        guess = pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
      }
      out[y * row + x] = (v + guess) & 255;
    }
  }
  return { width, height, at: (x, y) => { const i = (Math.round(y) * width + Math.round(x)) * channels; return [out[i], out[i + 1], out[i + 2]]; } };
}

export const light = ([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
export const colourful = ([r, g, b]) => Math.max(r, g, b) - Math.min(r, g, b);

/** Statistics of the pixels of a box that differ from grey by at least so much: how many, how bright, and how many of them are nearly black. */
export function statistics(picture, box, least = 40) {
  let count = 0;
  let sum = 0;
  let black = 0;
  for (let y = box.y; y < box.y + box.height; y++) {
    for (let x = box.x; x < box.x + box.width; x++) {
      const p = picture.at(x, y);
      if (colourful(p) < least) continue;
      count++;
      sum += light(p);
      black += light(p) < 22;
    }
  }
  return { share: count / (box.width * box.height), mean: sum / Math.max(count, 1), black: black / Math.max(count, 1) };
}

export function difference(a, b, box) {
  let n = 0;
  for (let y = box.y; y < box.y + box.height; y += 2) {
    for (let x = box.x; x < box.x + box.width; x += 2) {
      const [p, q] = [a.at(x, y), b.at(x, y)];
      n += Math.abs(p[0] - q[0]) + Math.abs(p[1] - q[1]) + Math.abs(p[2] - q[2]) > 24;
    }
  }
  return (4 * n) / (box.width * box.height);
}
