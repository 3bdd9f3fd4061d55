// SPDX-License-Identifier: Apache-2.0
// picture.js: pictures of the scene for `zwang view --png, --gif, --mp4`, which opens the page in a headless browser with what it wants behind the #. The page draws scene and words onto one canvas, and
// leaves the files as base64 in an element that the browser then prints: nothing waits, nothing is fetched.
import { readAnalysis } from './analysis.js';
import { firstColour, trailsAtFirst } from './app.js';
import { bodyColour, stops } from './colours.js';
import { readPage } from './data.js';
import { clear, el } from './dom.js';
import { listFields, rangeOf } from './fields.js';
import { gif } from './gif.js';
import { Labels } from './labels.js';
import { endsOf, symbols } from './legend.js';
import { readLedger } from './marks.js';
import { unit, withUnit } from './numbers.js';
import { Player } from './player.js';
import { Stage } from './stage.js';
import { describe } from './time.js';
import { wantedTime, wantedView } from './wishes.js';
import * as THREE from 'three';

const themes = {
  light: { page: '#f8fafb', ink: '#1d2329', faint: '#55606a', box: 'rgba(255,255,255,.7)', x: '#b5402f', y: '#2f7d46', z: '#2b5f9e', hit: '#c4302b', load: '#3a3226' },
  dark: { page: '#1a1f25', ink: '#e4e8eb', faint: '#9aa5af', box: 'rgba(20,24,28,.8)', x: '#f0877a', y: '#7ccf96', z: '#7db3ee', hit: '#ff7a6e', load: '#e8dcae' },
};

class Painter {
  constructor(data, wish) {
    this.data = data;
    this.width = Math.max(64, Math.min(7680, Math.round(Number(wish.width) || 1280)));
    this.height = Math.max(64, Math.min(4320, Math.round(Number(wish.height) || 720)));
    this.dark = wish.dark !== undefined && wish.dark !== '0';
    this.theme = themes[this.dark ? 'dark' : 'light'];
    this.analysis = readAnalysis(data);
    this.player = new Player(data.time);
    const holder = el('div', { style: `position:absolute;left:0;top:0;width:${this.width}px;height:${this.height}px` });
    const canvas = el('canvas', { style: `width:${this.width}px;height:${this.height}px` });
    holder.append(canvas);
    document.body.append(holder);
    this.stage = new Stage(canvas, data, readLedger(data), this.analysis);
    const { stage } = this;
    const fields = listFields(data);
    stage.trails.group.visible = trailsAtFirst(data);
    if (stage.extent.travels) stage.follow = 'all';
    this.labels = new Labels(el('div'), stage);
    this.fine = wish.picture === 'png' || this.width * this.height < 300000 ? 2 : 1;
    stage.renderer.setPixelRatio(this.fine);
    stage.renderer.setSize(this.width, this.height, false);
    stage.extentOnScreen = [this.width, this.height];
    stage.setTheme(this.dark);
    const wanted = wish.colour !== undefined ? wish.colour : firstColour(data, fields);
    const field = fields.find((f) => f.key === wanted || f.label.toLowerCase() === String(wanted).toLowerCase());
    if (wanted && wanted !== 'body' && !field) throw new Error(`there is no colour '${wanted}' here; there are: body${fields.map((f) => `, ${f.key}`).join('')}`);
    stage.setField(field || null);
    const view = wantedView(wish.view);
    if (wish.view !== undefined && !view) throw new Error(`'${wish.view}' is no camera: front, top, side, iso, fit, or degrees around and above such as 30,20`);
    const t = this.timeOf(wish);
    this.out = document.createElement('canvas');
    this.out.width = this.width;
    this.out.height = this.height;
    this.context = this.out.getContext('2d', { willReadFrequently: true });
    this.size = Math.max(11, Math.min(22, Math.round(Math.min(this.width / 62, this.height / 34)))); // of letters
    this.plan();
    const room = [0.5 * this.size, 4 * this.size, this.width - this.size, Math.max(this.height - 4 * this.size - this.foot, 0.3 * this.height)]; // of the scene between title and legend
    stage.camera.aspect = room[2] / room[3];
    stage.margin = 1.05;
    stage.setTime(t);
    stage.look(view || 'home');
    stage.camera.setViewOffset(room[2], room[3], -room[0], -room[1], this.width, this.height);
    this.t = t;
  }

  timeOf(wish) {
    const t = wantedTime(wish.t, this.player);
    if (wish.t !== undefined && t === null) throw new Error(`'${wish.t}' is no time: a number, start, end, or a part such as 30%`);
    if (t !== null) return Math.min(Math.max(t, this.player.start), this.player.end);
    if (this.analysis) return this.analysis.kind === 'modes' ? Math.min(this.analysis.first, this.player.end) : this.player.end;
    return this.player.start + 0.35 * this.player.duration; // something has happened by then
  }

  /** Scene and words at time t on this.out. */
  paint(t) {
    const { context: c, width, height, theme, stage, size } = this;
    stage.setTime(t);
    stage.draw();
    c.fillStyle = theme.page; // one colour: pictures stay small
    c.fillRect(0, 0, width, height);
    c.imageSmoothingQuality = 'high';
    c.drawImage(stage.canvas, 0, 0, width, height);
    this.names();
    this.words(t);
    this.legend();
    this.axes();
    c.font = this.font(0.86);
    c.textAlign = 'right';
    c.fillStyle = theme.faint;
    c.fillText(`squares of ${withUnit(stage.ground.step, 'm', 2)}`, width - size, height - 0.8 * size);
    c.textAlign = 'left';
    return this.out;
  }

  font(scale = 1, weight = '') { return `${weight} ${(scale * this.size).toFixed(1)}px system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif`; }

  words(t) {
    const { context: c, width, theme, size, data } = this;
    c.fillStyle = theme.ink;
    c.font = this.font(1.25, '650');
    let title = data.page.title;
    while (title.length > 4 && c.measureText(title).width > width - 2 * size) title = `${title.slice(0, -2)}…`;
    c.fillText(title, size, 1.9 * size);
    c.font = this.font();
    c.fillStyle = theme.faint;
    const what = this.analysis ? `${this.analysis.words} · ` : '';
    c.fillText(`${what}${describe(this, t)}`, size, 3.4 * size);
  }

  names() {
    const { context: c, labels, theme, size } = this;
    if (!labels.few) return;
    c.font = this.font(0.9);
    for (const item of labels.items) {
      if (item.e.style.display === 'none') continue;
      const at = /translate\(([-\d.]+)px, ([-\d.]+)px\)/.exec(item.e.style.transform);
      if (!at) continue;
      const [x, y] = [Number(at[1]), Number(at[2])];
      c.fillStyle = theme.box;
      c.fillRect(x, y, c.measureText(item.name).width + 0.6 * size, 1.3 * size);
      c.fillStyle = theme.ink;
      c.fillText(item.name, x + 0.3 * size, y + size);
    }
  }

  /** What stands below the scene: names and signs in rows, beside the bar of colours where there is one: [{text, mark(x, y), x, row}], and how many rows. */
  plan() {
    const { context: c, stage, theme, size, width } = this;
    const { field, data } = stage;
    const bodies = field ? [] : data.bodies.filter((b) => b.kind !== 'field');
    const items = bodies.slice(0, 8).map((b) => ({
      text: b.name,
      colour: theme.ink,
      mark: (x, y) => { c.fillStyle = bodyColour(b.index, this.dark); c.beginPath(); c.arc(x + 0.6 * size, y, 0.42 * size, 0, 7); c.fill(); },
    }));
    if (bodies.length > items.length) items.push({ text: `and ${bodies.length - items.length} more`, colour: theme.faint, mark: () => {} });
    for (const [kind, text] of symbols(stage)) items.push({ text, colour: theme.faint, mark: (x, y) => this.symbol(kind, x, y) });
    c.font = this.font(0.9);
    this.bar = field ? Math.min(12 * size, 0.5 * width) : 0;
    const left = size + (field ? this.bar + 1.8 * size : 0);
    const right = width - 7.5 * size; // axes
    let [x, row] = [left, 0];
    for (const item of items) {
      const w = 1.7 * size + c.measureText(item.text).width + 1.2 * size;
      if (x > left && x + w > right) { x = left; row++; }
      Object.assign(item, { x, row });
      x += w;
    }
    this.items = items;
    this.rows = Math.max(items.length ? row + 1 : 0, field ? 2.4 : 0);
    this.foot = this.rows * 1.45 * size + 1.1 * size;
  }

  legend() {
    const { context: c, height, stage, theme, size } = this;
    const { field, data } = stage;
    const top = height - this.foot + 0.2 * size;
    if (field) {
      const { lo, hi, map, even } = rangeOf(field, data.time.length);
      const [x, { bar }] = [size, this];
      c.fillStyle = theme.ink;
      c.font = this.font(0.95, '650');
      c.fillText(field.label, x, top + size);
      const after = c.measureText(`${field.label} `).width;
      c.font = this.font(0.9);
      c.fillStyle = theme.faint;
      if (field.unit) c.fillText(unit(field.unit), x + after, top + size);
      const gradient = c.createLinearGradient(x, 0, x + bar, 0);
      const colours = stops(map);
      colours.forEach((one, i) => gradient.addColorStop(i / (colours.length - 1), one));
      c.fillStyle = gradient;
      c.fillRect(x, top + 1.4 * size, bar, 0.75 * size);
      c.fillStyle = theme.faint;
      endsOf(lo, hi, even).forEach((text, i) => { c.textAlign = ['left', 'center', 'right'][i]; c.fillText(text, x + (i * bar) / 2, top + 3.2 * size); });
      c.textAlign = 'left';
    }
    for (const item of this.items) {
      const y = top + item.row * 1.45 * size;
      item.mark(item.x, y + 0.68 * size);
      c.font = this.font(0.9);
      c.fillStyle = item.colour;
      c.fillText(item.text, item.x + 1.7 * size, y + size);
    }
  }

  symbol(kind, x, y) {
    const { context: c, theme, size } = this;
    c.fillStyle = c.strokeStyle = { hit: theme.hit, load: theme.load, cube: theme.ink, pin: theme.ink, joint: theme.ink }[kind] || theme.faint;
    c.lineWidth = kind === 'hit' || kind === 'load' ? 0.14 * size : 0.07 * size;
    if (kind === 'cube') c.fillRect(x + 0.3 * size, y - 0.3 * size, 0.6 * size, 0.6 * size);
    else if (kind === 'pin') c.fillRect(x + 0.1 * size, y - 0.18 * size, size, 0.36 * size);
    else if (kind === 'joint') { c.beginPath(); c.arc(x + 0.6 * size, y, 0.32 * size, 0, 7); c.fill(); } else {
      c.beginPath();
      c.moveTo(x, y);
      c.lineTo(x + 1.1 * size, y);
      c.stroke();
      if (kind === 'hit' || kind === 'load') { c.beginPath(); c.moveTo(x + 1.3 * size, y); c.lineTo(x + 0.85 * size, y - 0.28 * size); c.lineTo(x + 0.85 * size, y + 0.28 * size); c.fill(); }
    }
  }

  axes() {
    const { context: c, width, height, stage, theme, size, data } = this;
    const [x, y] = [width - 3.6 * size, height - 5 * size];
    const turn = stage.camera.quaternion.clone().invert();
    const items = [['x', [1, 0, 0], theme.x], ['y', [0, 1, 0], theme.y], ['z', [0, 0, 1], theme.z]];
    if (data.page.gravity) items.push(['g', data.page.gravity, theme.faint]);
    c.lineWidth = 0.14 * size;
    c.textAlign = 'center';
    c.font = this.font(0.95, '600');
    for (const [name, d, colour] of items) {
      const v = new THREE.Vector3(...d).normalize().applyQuaternion(turn);
      c.strokeStyle = c.fillStyle = colour;
      c.setLineDash(name === 'g' ? [0.25 * size, 0.15 * size] : []);
      c.beginPath();
      c.moveTo(x, y);
      c.lineTo(x + 1.9 * size * v.x, y - 1.9 * size * v.y);
      c.stroke();
      if (Math.hypot(v.x, v.y) > 0.2) c.fillText(name, x + 2.6 * size * v.x, y - 2.6 * size * v.y + 0.35 * size);
    }
    c.setLineDash([]);
    c.textAlign = 'left';
  }

  pixels() { return this.context.getImageData(0, 0, this.width, this.height).data; }
}

/** Moments of a film: the whole run in `count` pictures; of modes the one of t, over one period. */
function moments(painter, count) {
  const { player, analysis, t } = painter;
  if (analysis && analysis.kind === 'modes') player.setWindow(Math.max(1, Math.floor(t + 1e-9)), Math.max(1, Math.floor(t + 1e-9)) + 1);
  const open = analysis && analysis.kind === 'modes' ? player.duration * (1 + 1 / Math.max(1, player.time.filter((x) => x >= player.start && x <= player.end).length - 1)) : player.duration;
  const whole = analysis && analysis.kind === 'modes' ? count : Math.max(count - 1, 1);
  return Array.from({ length: count }, (_, i) => Math.min(player.start + (open * i) / whole, player.end));
}

function base64(bytes) {
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}

export function takePictures(doc, wish) {
  const answer = (id, text) => { clear(doc.body).append(el('pre', { id }, text)); for (const s of doc.querySelectorAll('script, style')) s.remove(); };
  try {
    const data = readPage(doc);
    if (!data.channels.some((c) => ['position', 'points'].includes(c.what))) throw new Error('the results hold no positions to draw');
    const painter = new Painter(data, wish);
    if (wish.picture === 'png') {
      answer('zwang-picture', painter.paint(painter.t).toDataURL('image/png').replace(/^.*,/, ''));
      return;
    }
    const fps = Number(wish.fps) || (wish.picture === 'gif' ? 15 : 30);
    const swing = painter.analysis && painter.analysis.kind === 'modes';
    const seconds = Number(wish.seconds) || (wish.picture === 'gif' ? (swing ? 2 : 5) : 8);
    const count = Math.max(1, Math.min(20000, Math.round(seconds * fps)));
    const times = moments(painter, count);
    if (wish.picture === 'gif') {
      const pictures = times.map((t) => { painter.paint(t); return painter.pixels(); });
      answer('zwang-picture', base64(gif(painter.width, painter.height, 1 / fps, pictures)));
    } else { // some pictures of a film, a line each
      const from = Math.max(0, Math.round(Number(wish.from) || 0));
      const to = Math.min(count, Math.round(Number(wish.to) || count));
      answer('zwang-picture', times.slice(from, to).map((t) => painter.paint(t).toDataURL('image/png').replace(/^.*,/, '')).join('\n'));
    }
  } catch (error) {
    answer('zwang-error', error.message);
  }
}
