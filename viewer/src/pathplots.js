// SPDX-License-Identifier: Apache-2.0
// pathplots.js: curves over the parameter of a load path. A path may turn back, so that these are drawn as curves in the plane, stable parts solid and unstable ones dashed; the dot is the point of the
// scene, and pressing or moving along a curve goes to the nearest point.
import { bodyColour } from './colours.js';
import { clear, el } from './dom.js';
import { show, ticks, unit } from './numbers.js';

const HEIGHT = 176;
const make = (name, attributes, ...children) => {
  const e = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  e.append(...children);
  return e;
};

function niceTicks(lo, hi, count) {
  const raw = (hi - lo) / count;
  const e = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * e).find((s) => s >= raw);
  const out = [];
  for (let k = Math.ceil(lo / step - 1e-9); k * step <= hi + 1e-9 * step; k++) out.push(k * step);
  return out;
}

const extent = (lists) => {
  let lo = Infinity;
  let hi = -Infinity;
  for (const l of lists) for (const v of l) if (Number.isFinite(v)) { lo = Math.min(lo, v); hi = Math.max(hi, v); }
  if (!(lo <= hi)) return [0, 1];
  const pad = 0.06 * (hi - lo) || Math.max(Math.abs(lo), 1e-9) * 0.1;
  return [lo - pad, hi + pad];
};

class PathPlot {
  constructor(plot, path, player, time) {
    Object.assign(this, { plot, path, player, time });
    this.values = el('span', { class: 'values' });
    this.room = el('div', { class: 'curves path', style: `height:${HEIGHT}px` });
    this.root = el('figure', { class: 'plot' },
      el('figcaption', {}, el('b', {}, plot.title), plot.unit ? el('span', { class: 'unit' }, unit(plot.unit)) : null, el('span', { class: 'unit' }, `over ${path.name}`)), this.values, this.room);
    this.cells = plot.series.map((s) => {
      const number = el('output', {});
      const swatch = el('i', {});
      this.values.append(el('span', {}, swatch, s.name ? `${s.name} ` : '', number));
      return { number, swatch };
    });
    this.room.addEventListener('pointerdown', (e) => { this.held = true; this.go(e); });
    this.room.addEventListener('pointermove', (e) => { if (this.held && e.buttons) this.go(e); });
    this.room.addEventListener('pointerup', () => { this.held = false; });
  }

  draw(dark) {
    const width = this.room.clientWidth;
    if (!width) return;
    const { plot, path } = this;
    const [x0, x1] = extent([path.parameter]);
    const [y0, y1] = extent(plot.series.map((s) => s.values));
    const yt = niceTicks(y0, y1, 5);
    const labels = ticks(yt);
    const left = Math.max(34, 10 + 7.2 * Math.max(...labels.map((t) => t.length)));
    const box = { left, right: width - 12, top: 8, bottom: HEIGHT - 36 };
    this.x = (v) => box.left + ((v - x0) / (x1 - x0)) * (box.right - box.left);
    this.y = (v) => box.bottom - ((v - y0) / (y1 - y0)) * (box.bottom - box.top);
    const svg = make('svg', { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, role: 'img', 'aria-label': `${plot.title} over ${path.name}` });
    yt.forEach((v, i) => svg.append(make('line', { class: 'rule', x1: box.left, x2: box.right, y1: this.y(v), y2: this.y(v) }), make('text', { x: box.left - 6, y: this.y(v) + 4, 'text-anchor': 'end' }, labels[i])));
    const xt = niceTicks(x0, x1, Math.max(2, Math.floor(width / 90)));
    const below = ticks(xt);
    xt.forEach((v, i) => svg.append(make('line', { class: 'rule', x1: this.x(v), x2: this.x(v), y1: box.top, y2: box.bottom }), make('text', { x: this.x(v), y: box.bottom + 15, 'text-anchor': 'middle' }, below[i])));
    svg.append(make('text', { x: (box.left + box.right) / 2, y: HEIGHT - 5, 'text-anchor': 'middle' }, path.name));
    plot.series.forEach((s, i) => {
      const colour = bodyColour(i, dark);
      for (const stable of [true, false]) {
        let d = '';
        for (let k = 0; k + 1 < s.values.length; k++) {
          if (path.branch[k] !== path.branch[k + 1] || (path.stable[k] && path.stable[k + 1]) !== stable) continue;
          d += `M${this.x(path.parameter[k]).toFixed(1)} ${this.y(s.values[k]).toFixed(1)}L${this.x(path.parameter[k + 1]).toFixed(1)} ${this.y(s.values[k + 1]).toFixed(1)}`;
        }
        if (d) svg.append(make('path', { d, fill: 'none', stroke: colour, 'stroke-width': 1.8, 'stroke-linecap': 'round', ...(stable ? {} : { 'stroke-dasharray': '5 4' }) }));
      }
      this.cells[i].swatch.style.background = colour;
    });
    this.dots = plot.series.map((_, i) => make('circle', { r: 4.5, fill: bodyColour(i, dark), class: 'dot' }));
    svg.append(...this.dots);
    clear(this.room).append(svg);
    this.cursor(this.player.t);
  }

  nearest(t) {
    let k = 0;
    this.time.forEach((x, i) => { if (Math.abs(x - t) < Math.abs(this.time[k] - t)) k = i; });
    return k;
  }

  cursor(t) {
    const k = this.nearest(t);
    this.plot.series.forEach((s, i) => {
      this.cells[i].number.textContent = show(s.values[k], 4);
      if (this.dots) { this.dots[i].setAttribute('cx', this.x(this.path.parameter[k])); this.dots[i].setAttribute('cy', this.y(s.values[k])); }
    });
  }

  go(e) {
    if (!this.x) return;
    const r = this.room.getBoundingClientRect();
    const [px, py] = [e.clientX - r.left, e.clientY - r.top];
    let best = Infinity;
    let at = 0;
    for (const s of this.plot.series) {
      s.values.forEach((v, k) => { const d = Math.hypot(this.x(this.path.parameter[k]) - px, (this.y(v) - py) * 0.6); if (d < best) { best = d; at = k; } });
    }
    this.player.pause();
    this.player.set(this.time[at]);
    e.preventDefault();
  }
}

export class PathPlots {
  constructor(root, plots, path, data, player) {
    this.plots = plots.filter((p) => !/^statics\//.test(p.key || '')).map((p) => new PathPlot(p, path, player, data.plotTime));
    this.dark = false;
    root.append(el('p', { class: 'note' }, 'Stable equilibria are solid, unstable ones dashed. The dots are the equilibrium of the scene; press on a curve to go there.'));
    for (const p of this.plots) root.append(p.root);
    new ResizeObserver(() => this.draw()).observe(root);
    player.subscribe((t) => { for (const p of this.plots) p.cursor(t); });
  }

  draw() { for (const p of this.plots) p.draw(this.dark); }

  setTheme(dark) { this.dark = dark; this.draw(); }
}
