// SPDX-License-Identifier: Apache-2.0
// plots.js: curves over time, with a cursor at the moment of the scene. A click goes there; dragging along the time axis zooms, a double click shows all again. Plots are made when they come
// into sight: a page with forty of them opens as fast as one with two.
import uPlot from 'uplot';
import { bodyColour } from './colours.js';
import { el } from './dom.js';
import { powerOfTen, show, ticks, unit } from './numbers.js';

const HEIGHT = 164;
// scales of powers are drawn as the exponents themselves: uplot's own cannot go below 1e-16

function rangeOf(series, log) {
  let lo = Infinity;
  let hi = -Infinity;
  for (const s of series) for (const v of s.values) if (Number.isFinite(v) && (!log || v > 0)) { lo = Math.min(lo, v); hi = Math.max(hi, v); }
  if (!(lo <= hi)) return [0, 1];
  if (log) { // at most 18 decades: below that is nothing
    const top = Math.ceil(Math.log10(hi) + 1e-9);
    return [Math.max(Math.floor(Math.log10(lo)), top - 18), top];
  }
  const size = Math.max(Math.abs(lo), Math.abs(hi));
  if (size < 1e-290) return [-1, 1];
  const height = Math.max(hi - lo, size * 1e-6);
  return hi - lo < height ? [lo - height, hi + height] : [lo - 0.06 * height, hi + 0.08 * height];
}

class Plot {
  constructor(plot, data, player, dark) {
    this.plot = plot;
    this.data = data;
    this.player = player;
    this.dark = dark;
    this.values = el('span', { class: 'values' });
    this.room = el('div', { class: 'curves', style: `height:${HEIGHT}px` });
    this.root = el('figure', { class: 'plot' },
      el('figcaption', {}, el('b', {}, plot.title), plot.unit ? el('span', { class: 'unit' }, unit(plot.unit)) : null), this.values, this.room);
    this.cells = plot.series.map((s, i) => {
      const number = el('output', {});
      const swatch = el('i', {});
      this.values.append(el('span', {}, swatch, s.name ? `${s.name} ` : '', number));
      return { number, swatch, i, size: s.values.reduce((m, x) => (Math.abs(x) > m ? Math.abs(x) : m), 0) };
    });
    this.u = null;
  }

  make() {
    if (this.u || !this.room.clientWidth) return;
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue('--faint').trim();
    const rule = style.getPropertyValue('--rule').trim();
    const { plot, player } = this;
    const [lo, hi] = rangeOf(plot.series, plot.log);
    const font = '11.5px system-ui, sans-serif';
    const axis = { stroke: ink, font, grid: { stroke: rule, width: 1 }, ticks: { show: false } };
    const label = (u, splits) => (plot.log ? splits.map((v) => (Math.abs(v - Math.round(v)) < 1e-6 ? powerOfTen(Math.round(v)) : '')) : ticks(splits));
    const wide = (u, texts, at, cycle) => (cycle > 1 ? u.axes[at]._size : Math.ceil(Math.max(34, 9 + Math.max(...(texts || ['']).map((t) => t.length)) * 7.2)));
    this.u = new uPlot({
      width: this.room.clientWidth,
      height: HEIGHT,
      padding: [6, 12, 0, 0],
      legend: { show: false },
      cursor: { x: false, y: false, points: { show: false }, drag: { x: true, y: false, setScale: true } },
      select: { show: true },
      scales: { x: { time: false }, y: { range: () => [lo, hi] } },
      axes: [{ ...axis, size: 24, gap: 3, space: 60, values: (u, s) => ticks(s), label: this.data.timeUnit ? `t (${this.data.timeUnit})` : '', labelFont: font, labelSize: this.data.timeUnit ? 16 : 0, labelGap: 0 }, { ...axis, size: wide, gap: 4, space: 26, values: label }],
      series: [{}, ...plot.series.map((s, i) => ({ stroke: bodyColour(i, this.dark), width: 1.5, pxAlign: 0, points: { show: false }, spanGaps: true }))],
      hooks: { setScale: [(u, k) => { if (k === 'x') this.cursor(player.t); }] },
    }, [this.data.plotTime, ...plot.series.map((s) => (plot.log ? s.values.map((v) => (v > 0 ? Math.log10(v) : NaN)) : s.values))].map((a) => Array.from(a, (v) => (Number.isFinite(v) ? v : null))), this.room);
    this.line = el('div', { class: 'now' });
    this.u.over.append(this.line);
    let down = null;
    this.u.over.addEventListener('pointerdown', (e) => { down = e.clientX; });
    this.u.over.addEventListener('click', (e) => {
      if (down !== null && Math.abs(e.clientX - down) < 4) player.set(this.u.posToVal(e.clientX - this.u.over.getBoundingClientRect().left, 'x'));
    });
    this.cells.forEach((c, i) => { c.swatch.style.background = bodyColour(i, this.dark); });
    this.cursor(player.t);
  }

  unmake() {
    if (this.u) this.u.destroy();
    this.u = null;
  }

  cursor(t) {
    const time = this.data.plotTime;
    let lo = 0;
    let hi = time.length - 1;
    while (lo < hi) { const m = (lo + hi + 1) >> 1; if (time[m] <= t + 1e-12) lo = m; else hi = m - 1; }
    if (lo + 1 < time.length && time[lo + 1] - t < t - time[lo]) lo++;
    this.cells.forEach((c) => { const v = this.plot.series[c.i].values[lo]; c.number.textContent = show(Math.abs(v) < 1e-12 * c.size ? 0 : v, 4); });
    if (!this.u) return;
    const x = this.u.valToPos(t, 'x');
    const inside = x >= -1 && x <= this.u.over.clientWidth + 1;
    this.line.style.display = inside ? '' : 'none';
    this.line.style.transform = `translateX(${x.toFixed(2)}px)`;
  }
}

export class Plots {
  constructor(root, plots, data, player) {
    this.root = root;
    this.dark = false;
    this.plots = plots.map((p) => new Plot(p, data, player, false));
    for (const p of this.plots) root.append(p.root);
    this.seen = new Set();
    this.watch = new IntersectionObserver((entries) => {
      for (const e of entries) {
        const p = this.plots.find((q) => q.root === e.target);
        if (e.isIntersecting) { this.seen.add(p); p.make(); p.cursor(player.t); } else this.seen.delete(p);
      }
    }, { rootMargin: '120px' });
    for (const p of this.plots) this.watch.observe(p.root);
    new ResizeObserver(() => {
      for (const p of this.plots) if (p.u && p.room.clientWidth && p.u.width !== p.room.clientWidth) p.u.setSize({ width: p.room.clientWidth, height: HEIGHT });
    }).observe(root);
    player.subscribe((t) => { for (const p of this.seen) p.cursor(t); });
    if (!plots.length) root.append(el('p', { class: 'note' }, 'Nothing was recorded that could be plotted.'));
  }

  setTheme(dark) {
    for (const p of this.plots) {
      p.dark = dark;
      p.unmake();
      if (this.seen.has(p)) p.make();
      p.cells.forEach((c, i) => { c.swatch.style.background = bodyColour(i, dark); });
    }
  }
}
