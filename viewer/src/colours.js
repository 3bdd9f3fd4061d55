// SPDX-License-Identifier: Apache-2.0
// colours.js: colours of bodies (Okabe and Ito's, told apart also by the colour-blind) and maps from numbers to colours: one for sizes, one for numbers with a sign.

const bodies = {
  light: ['#0072b2', '#d55e00', '#009e73', '#9b4f96', '#a67c00', '#56b4e9', '#c44569', '#5c6670'],
  dark: ['#56b4e9', '#ff9248', '#3ecf9f', '#d79bd2', '#e3c04f', '#8fd0ff', '#ff8fa8', '#c3ccd4'],
};

export const bodyColour = (i, dark) => bodies[dark ? 'dark' : 'light'][i % 8];

const maps = {
  size: ['#3b56a8', '#2f7fb8', '#26a3a0', '#55bd7c', '#a8d254', '#f6dd45'],
  sign: ['#2b5f9e', '#6f9fce', '#c3cdd6', '#dd9a76', '#b5402f'],
};

export const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255);
const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
export const linearRgb = (hex) => rgb(hex).map(linear);

/** 256 colours, linear light, of a map. */
const tables = {};
export function table(name) {
  if (!tables[name]) {
    const stops = maps[name].map(rgb);
    const out = new Float32Array(256 * 3);
    for (let i = 0; i < 256; i++) {
      const x = (i / 255) * (stops.length - 1);
      const k = Math.min(Math.floor(x), stops.length - 2);
      for (let c = 0; c < 3; c++) out[3 * i + c] = linear(stops[k][c] + (stops[k + 1][c] - stops[k][c]) * (x - k));
    }
    tables[name] = out;
  }
  return tables[name];
}

export const stops = (name) => maps[name];
export const gradient = (name) => `linear-gradient(to right, ${maps[name].join(', ')})`;
