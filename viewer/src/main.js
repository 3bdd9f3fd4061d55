// SPDX-License-Identifier: Apache-2.0
// main.js: puts the page together: title, scene, time, plots, events, model. Without WebGL the scene is a sentence, and the rest works.
import { modesTable, readAnalysis } from './analysis.js';
import { Axes } from './axes.js';
import { listPlots } from './curves.js';
import { readPage } from './data.js';
import { clear, el } from './dom.js';
import { Events } from './events.js';
import { listFields } from './fields.js';
import { listenToKeys } from './keys.js';
import { Labels } from './labels.js';
import { drawLegend } from './legend.js';
import { readLedger } from './marks.js';
import { show, withUnit } from './numbers.js';
import { Player } from './player.js';
import { Plots } from './plots.js';
import { Stage } from './stage.js';
import { howItWent, whatThereIs, whatWasLeftOut } from './words.js';

const data = readPage(document);
const player = new Player(data.time);
const ledger = readLedger(data);
const analysis = readAnalysis(data);
const state = { dark: false, stage: null, plots: null, labels: null };

function makeStage(root) {
  const canvas = el('canvas', { role: 'img', 'aria-label': `Three-dimensional view: ${data.page.title}`, tabindex: '0' });
  root.append(canvas);
  if (!data.channels.some((c) => ['position', 'points'].includes(c.what))) {
    canvas.remove();
    root.append(el('p', { class: 'note', style: 'padding:4rem 1rem;text-align:center' }, 'The results hold no positions to draw; the curves are beside.'));
    return null;
  }
  try {
    return new Stage(canvas, data, ledger);
  } catch (error) {
    canvas.remove();
    root.append(el('p', { class: 'note', style: 'padding:4rem 1rem;text-align:center' }, `This browser cannot draw in three dimensions here (${error.message}). Curves and events work all the same.`));
    return null;
  }
}

function toggle(text, on, change, title) {
  const box = el('input', { type: 'checkbox', onchange: () => change(box.checked) });
  box.checked = on;
  return el('label', { title }, box, text);
}

function makeTools(root, stage, fields) {
  const views = [['Front', 'front', '1'], ['Top', 'top', '2'], ['Side', 'side', '3'], ['Iso', 'iso', '4'], ['Fit', 'home', '5']];
  const tools = el('div', { class: 'tools' });
  tools.append(el('span', { class: 'group', role: 'group', 'aria-label': 'camera' },
    ...views.map(([text, name, key]) => el('button', { type: 'button', title: `${text} view (${key})`, 'data-view': name, onclick: () => stage.look(name) }, text))));
  const colour = el('select', { id: 'colour', onchange: () => setColour(colour.value) }, el('option', { value: '' }, 'body'),
    ...fields.map((f) => el('option', { value: f.key }, f.label)));
  if (fields.length) tools.append(el('label', {}, 'Colour', colour));
  const movers = data.bodies.filter((b) => ['rod', 'rigid', 'lagrangian'].includes(b.kind)).slice(0, 200);
  const follow = el('select', { id: 'follow', onchange: () => { stage.setFollow(follow.value === '' ? null : follow.value === 'all' ? 'all' : Number(follow.value)); stage.fit(); } }, el('option', { value: '' }, 'nothing'),
    el('option', { value: 'all' }, 'all bodies'),
    ...movers.map((b) => el('option', { value: String(b.index) }, b.name)));
  if (stage.extent.travels) { follow.value = 'all'; stage.follow = 'all'; }
  tools.append(el('label', {}, 'Follow', follow));
  const parts = [];
  if (stage.tubes.hasDirectors) parts.push(toggle('Directors', false, (on) => { stage.tubes.directors.visible = on; stage.refresh(); }, 'the axes d1, d2, d3 of rods'));
  parts.push(toggle('Trails', stage.trails.group.visible, (on) => { stage.trails.group.visible = on; stage.refresh(); }, 'ways of points up to now'));
  if (stage.joints.joints.length) parts.push(toggle('Joints', true, (on) => { stage.joints.group.visible = on; stage.ask(); }));
  if (stage.marks.rows.length) parts.push(toggle('Impacts', true, (on) => { stage.marks.group.visible = on; stage.refresh(); }, 'where they were, and their impulses'));
  if (stage.walls.solids.length) parts.push(toggle('Obstacles', true, (on) => { stage.walls.group.visible = on; stage.ask(); }));
  if (state.labels.items.length) parts.push(toggle('Names', state.labels.visible, (on) => { state.labels.visible = on; }));
  parts.push(toggle('Grid', true, (on) => { stage.ground.group.visible = on; stage.ask(); }));
  tools.append(el('details', { class: 'menu' }, el('summary', { class: 'button' }, 'Show'), el('div', {}, ...parts)));
  root.append(tools);
  function setColour(key) {
    stage.setField(fields.find((f) => f.key === key) || null);
    drawLegend(state.legend, stage, state.dark);
  }
  state.setColour = (key) => { colour.value = key; setColour(key); };
}

function makeTime() {
  const slider = el('input', { type: 'range', min: '0', max: '10000', step: '1', 'aria-label': 'time', id: 'slider' });
  const out = el('output', { id: 'now' });
  const play = el('button', { type: 'button', class: 'play', id: 'play', onclick: () => player.toggle() }, 'Play');
  const speed = el('select', { 'aria-label': 'speed', id: 'speed', title: 'speed of playing, times real time (+ and −)', onchange: () => { player.speed = Number(speed.value); } },
    ...player.speeds.list.map((s) => el('option', { value: String(s) }, analysis ? `${show(s, 2)} ${analysis.pace}` : data.timeUnit === 's' ? (s === 1 ? '1× real time' : `${show(s, 2)}×`) : `${show(s, 2)} per second`)));
  speed.value = String(player.speed);
  const loop = el('button', { type: 'button', 'aria-pressed': 'true', id: 'loop', title: 'begin again at the end (l)', onclick: () => setLoop(!player.loop) }, 'Loop');
  const setLoop = (on) => { player.loop = on; loop.setAttribute('aria-pressed', String(on)); };
  state.setLoop = setLoop;
  const at = (t) => (player.duration > 0 ? (t - player.start) / player.duration : 0);
  slider.addEventListener('input', () => { player.pause(); player.set(player.start + (player.duration * Number(slider.value)) / 10000); });
  const ticks = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  ticks.setAttribute('viewBox', '0 0 1000 6');
  ticks.setAttribute('preserveAspectRatio', 'none');
  for (const t of new Set(ledger.slice(0, 600).map((r) => r.time))) {
    const line = document.createElementNS('http://www.w3.org/2000/svg', 'line');
    for (const [k, v] of Object.entries({ x1: 1000 * at(t), x2: 1000 * at(t), y1: 0, y2: 6 })) line.setAttribute(k, v);
    ticks.append(line);
  }
  const name = data.timeUnit === 's' ? 't' : 'parameter';
  const digits = Math.max(0, Math.min(9, Math.ceil(-Math.log10(Math.max(player.duration, 1e-30) / 1000))));
  player.subscribe((t, what) => {
    slider.value = String(Math.round(10000 * at(t)));
    if (analysis) out.textContent = analysis.describe(t);
    else out.textContent = `${name} = ${t.toFixed(digits).replace('-', '−')} of ${withUnit(player.end, data.timeUnit)}`;
    if (what === 'play') play.textContent = player.playing ? 'Pause' : 'Play';
  });
  state.faster = (n) => {
    const { list } = player.speeds;
    const i = Math.min(Math.max(list.indexOf(player.speed) + n, 0), list.length - 1);
    player.speed = list[i];
    speed.value = String(player.speed);
  };
  return el('div', { class: 'time' }, play, el('div', { class: 'track' }, slider, ticks), out, speed, loop);
}

const keys = [['Space', 'play, pause'], ['← →', 'a frame back, on (with Shift ten)'], ['Home End', 'first, last moment'], ['1 to 5', 'front, top, side, iso, fit'], ['+ −', 'faster, slower'],
  ['l', 'loop'], ['d', 'dark, light']];

function makeAside() {
  const plots = listPlots(data);
  const s = data.page.summary;
  const fact = (name, value) => (value ? [el('dt', {}, name), el('dd', {}, value)] : []);
  const panes = {
    Plots: el('div', { class: 'tab', role: 'tabpanel' }),
    Events: el('div', { class: 'tab', role: 'tabpanel' }),
    Model: el('div', { class: 'tab', role: 'tabpanel' },
      el('dl', {}, ...fact('shows', whatThereIs(data)), ...fact('run', howItWent(data)), ...fact('simulated', analysis ? '' : withUnit(player.end, data.timeUnit)),
        ...fact('took', s && s.wall_s ? withUnit(s.wall_s, 's', 3) : ''), ...fact('file', data.page.file === 'zwang' ? '' : data.page.file), ...fact('zwang', data.page.version)),
      whatWasLeftOut(data) ? el('p', { class: 'note' }, whatWasLeftOut(data)) : null, el('pre', {}, data.page.model || ''),
      el('dl', {}, ...keys.flatMap(([k, what]) => [el('dt', {}, el('kbd', {}, k)), el('dd', {}, what)]))),
  };
  if (!ledger.length) delete panes.Events;
  if (analysis && analysis.modes.length) {
    const modes = modesTable(analysis, (n) => { player.setWindow(n, n + 1); player.speed = 0.5; player.play(); });
    panes.Modes = el('div', { class: 'tab', role: 'tabpanel' }, el('p', { class: 'note' }, 'Choose a mode to see it move; its size is chosen to be seen.'), modes.table);
  }
  const order = ['Modes', 'Plots', 'Events', 'Model'].filter((n) => panes[n]);
  const tabs = el('div', { class: 'tabs', role: 'tablist' });
  const choose = (name) => {
    for (const [n, pane] of Object.entries(panes)) pane.hidden = n !== name;
    for (const b of tabs.children) b.setAttribute('aria-selected', String(b.dataset.tab === name));
  };
  for (const name of order) {
    const text = name === 'Events' ? `Events (${data.page.ledger.total})` : name;
    tabs.append(el('button', { type: 'button', role: 'tab', 'data-tab': name, onclick: () => choose(name) }, text));
  }
  state.choose = choose;
  const aside = el('aside', {}, tabs, ...Object.values(panes));
  choose(panes.Modes ? 'Modes' : 'Plots');
  return { aside, fill: () => {
    state.plots = new Plots(panes.Plots, plots, data, player);
    state.plots.setTheme(state.dark);
    if (panes.Events) new Events(panes.Events, ledger, data.page.ledger.total, player);
  } };
}

function setTheme(dark) {
  state.dark = dark;
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  if (state.stage) { state.stage.setTheme(dark); drawLegend(state.legend, state.stage, dark); }
  if (state.plots) state.plots.setTheme(dark);
}

/** What colours best at first: rods alone by how much they are bent, everything else by body. */
function firstColour(fields) {
  const kinds = new Set(data.bodies.map((b) => b.kind));
  const only = kinds.size === 1 && kinds.has('rod');
  const bent = fields.find((f) => f.key === 'bending');
  return only && bent ? 'bending' : '';
}

function start() {
  document.title = data.page.title;
  const app = clear(document.getElementById('app'));
  const failed = data.page.summary && data.page.summary.outcome === 'diverged';
  const theme = el('button', { type: 'button', id: 'theme', class: 'theme', 'aria-label': 'dark or light', title: 'dark or light (d)', onclick: () => setTheme(!state.dark) }, '◐');
  const thinned = data.page.frames && data.page.frames.kept < data.page.frames.total ? `, ${data.page.frames.kept} of ${data.page.frames.total} frames` : '';
  const header = el('header', {}, el('h1', {}, data.page.title), theme, el('p', failed ? { class: 'bad' } : {}, [whatThereIs(data), analysis ? analysis.words : howItWent(data)].filter(Boolean).join(' · ') + thinned));
  const room = el('div', { class: 'stage' });
  const { aside, fill } = makeAside();
  app.append(header, room, makeTime(), aside);
  const stage = makeStage(room);
  state.stage = stage;
  const media = window.matchMedia('(prefers-color-scheme: dark)');
  media.addEventListener('change', () => setTheme(media.matches));
  if (stage) {
    const fields = listFields(data);
    const few = data.bodies.filter((b) => b.kind === 'rigid').length <= 6 && !data.bodies.some((b) => b.kind === 'rod' && data.bodies.length > 3);
    stage.trails.group.visible = few && data.bodies.some((b) => b.kind !== 'rod');
    const labels = el('div', { class: 'labels', 'aria-hidden': 'true' });
    state.legend = el('div', { class: 'legend', id: 'legend' });
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('class', 'axes');
    svg.innerHTML = '<defs><marker id="tip" viewBox="0 0 6 6" refX="3" refY="3" markerWidth="4" markerHeight="4" orient="auto"><path d="M0 0L6 3L0 6Z"/></marker></defs>';
    room.append(labels, state.legend, svg, el('div', { class: 'scale' }, `squares of ${withUnit(stage.ground.step, 'm', 2)}`));
    state.labels = new Labels(labels, stage);
    const axes = new Axes(svg, data.page.gravity);
    stage.listeners.push(() => axes.update(stage.camera));
    makeTools(room, stage, fields);
    stage.resize(room.clientWidth, room.clientHeight);
    setTheme(media.matches);
    state.setColour(firstColour(fields));
    player.subscribe((t, what) => { if (what === 'time') stage.setTime(t); stage.hurry(player.playing); });
    stage.setTime(player.start);
    stage.look('home');
    new ResizeObserver(() => {
      stage.resize(room.clientWidth, room.clientHeight);
      if (stage.view && !stage.touched) stage.look(stage.view);
    }).observe(room);
    stage.controls.addEventListener('start', () => { stage.touched = true; });
    for (const b of room.querySelectorAll('[data-view]')) b.addEventListener('click', () => { stage.touched = false; });
  } else setTheme(media.matches);
  listenToKeys(player, stage, {
    faster: state.faster, loop: () => state.setLoop(!player.loop), theme: () => setTheme(!state.dark), look: (name) => { stage.touched = false; stage.look(name); }, help: () => state.choose('Model'),
  });
  player.set(player.start);
  if (stage) stage.draw();
  requestAnimationFrame(fill); // the scene first
  window.zwangView = { data, player, state }; // for tests and the curious
  document.documentElement.dataset.ready = 'yes';
}

start();
