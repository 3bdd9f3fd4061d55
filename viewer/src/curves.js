// SPDX-License-Identifier: Apache-2.0
// curves.js: which plots there are: energies together, each probe with its components, momenta, residuals, the Zwang, and then whatever else was recorded.

const space = ['x', 'y', 'z'];
const titles = { 'statics/parameter': 'Parameter of the path', 'statics/stable': 'Stable (1) or not (0)', 'statics/branch': 'Branch' };
const ofRods = { growth_power: 'Growth power', zwang_time: 'Zwang in time, Z_t,', zwang_space: 'Zwang in space, Z_s,' };
const skipped = ['modes/phase', 'modes/number', 'modes/frequency', 'modes/growth', 'statics/below'];
const wrench = ['force x', 'force y', 'force z', 'moment x', 'moment y', 'moment z'];
const names = (width) => (width === 1 ? [''] : width === 3 ? space : width === 4 ? ['w', 'x', 'y', 'z'] : width === 6 ? wrench
  : Array.from({ length: width }, (_, i) => String(i + 1)));

function values(channel, c) {
  const n = channel.numbers.length / channel.width;
  const out = new Float64Array(n);
  for (let i = 0; i < n; i++) out[i] = channel.numbers.value(i * channel.width + c);
  return out;
}

/** [{title, unit, log, series: [{name, values}]}] */
export function listPlots(data) {
  const left = new Map(data.plots.map((c) => [c.name, c]));
  const take = (name) => { const c = left.get(name); left.delete(name); return c; };
  const plots = [];
  const add = (title, unit, series, more = {}) => {
    const sizes = series.map((s) => s.values.reduce((m, x) => (Math.abs(x) > m ? Math.abs(x) : m), 0));
    const most = Math.max(...sizes, 0);
    let some = series.filter((s, i) => sizes[i] > (series.length > 1 && !more.log ? 1e-12 * most : 0)); // components that are nothing but round-off say nothing
    if (!some.length && more.keep) some = series.slice(0, 1);
    if (some.length) plots.push({ title, unit, series: some, ...more });
  };
  const single = (name, label) => { const c = take(name); return c && c.width === 1 ? [{ name: label, values: values(c, 0), unit: c.unit }] : []; };
  const whole = (c, title, more) => add(title, c.unit, names(c.width).map((n, i) => ({ name: n, values: values(c, i) })), more);

  const energy = ['total', 'kinetic', 'elastic', 'potential', 'work', 'dissipated'].flatMap((k) => single(`energy/${k}`, k));
  const drift = single('energy/drift', 'drift');
  add('Energy', 'J', energy);
  for (const c of data.plots.filter((p) => p.kind === 'probe')) { whole(c, `Probe ${c.of}`, { keep: true }); left.delete(c.name); }
  add('Energy drift', 'J', drift);
  for (const [name, title] of [['momentum/linear', 'Linear momentum'], ['momentum/angular', 'Angular momentum']]) {
    const c = take(name);
    if (c) whole(c, title);
  }
  add('Constraint residual', '', [...single('constraint/position', 'position'), ...single('constraint/velocity', 'velocity')], { log: true });
  add('Gauss’s Zwang', '', single('zwang', 'Zwang'));
  add('Points of contact', '', single('contact/count', 'points'));
  add('Overlap and complementarity', '', [...single('contact/depth', 'overlap'), ...single('contact/residual', 'complementarity')], { log: true });
  for (const c of left.values()) {
    if (!(c.width <= 8)) continue;
    const title = titles[c.name] || (c.kind === 'rod' ? `${ofRods[c.what] || c.what.replace(/_/g, ' ')} of ${c.of}` : c.name.split('/').join(' · '));
    if (skipped.includes(c.name)) continue;
    if (c.kind === 'lagrangian' || c.kind === 'gauss' || c.kind === 'field' || c.width === 1) whole(c, title, { key: c.name });
  }
  return plots;
}
