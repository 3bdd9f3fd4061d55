// SPDX-License-Identifier: Apache-2.0
// march.js: the surface where values on a grid are zero, by tetrahedra: each cell is cut in six, each of them in at most two triangles. No table, no ambiguous case.

const corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];
const tetrahedra = [[0, 5, 1, 6], [0, 1, 2, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 7, 4, 6], [0, 4, 5, 6]];

/** values[i] with i = x + (n+1) (y + (n+1) z); gives corners of triangles, 9 numbers each. */
export function zeroSurface(values, n, lo, step) {
  const out = [];
  const point = (c) => [lo[0] + c[0] * step[0], lo[1] + c[1] * step[1], lo[2] + c[2] * step[2]];
  const cut = (a, b) => {
    const u = a.f / (a.f - b.f);
    return [0, 1, 2].map((k) => a.p[k] + (b.p[k] - a.p[k]) * u);
  };
  const f = new Float64Array(8);
  for (let z = 0; z < n; z++) {
    for (let y = 0; y < n; y++) {
      for (let x = 0; x < n; x++) {
        let inside = 0;
        for (let i = 0; i < 8; i++) {
          const c = corners[i];
          f[i] = values[x + c[0] + (n + 1) * (y + c[1] + (n + 1) * (z + c[2]))];
          inside += f[i] > 0 ? 1 : 0;
        }
        if (inside === 0 || inside === 8) continue;
        const corner = corners.map((c, i) => ({ f: f[i], p: point([x + c[0], y + c[1], z + c[2]]) }));
        for (const t of tetrahedra) {
          const on = t.filter((i) => f[i] > 0).map((i) => corner[i]);
          const off = t.filter((i) => !(f[i] > 0)).map((i) => corner[i]);
          if (on.length === 1 || on.length === 3) {
            const [one, three] = on.length === 1 ? [on[0], off] : [off[0], on];
            for (const other of three) out.push(...cut(one, other));
          } else if (on.length === 2) {
            const [a, b] = on;
            const [c, d] = off;
            const quad = [cut(a, c), cut(a, d), cut(b, d), cut(b, c)];
            out.push(...quad[0], ...quad[1], ...quad[2], ...quad[0], ...quad[2], ...quad[3]);
          }
        }
      }
    }
  }
  return new Float32Array(out);
}
