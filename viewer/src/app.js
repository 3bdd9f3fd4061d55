// SPDX-License-Identifier: Apache-2.0
// app.js: the page put together: title, scene, time, plots, events, model. Without WebGL the scene is a sentence, and the rest works. `keep` is what an earlier app of the same run showed.
import { about } from './about.js';
import { readAnalysis } from './analysis.js';
import { makeAside } from './aside.js';
import { Axes } from './axes.js';
import { clear, el } from './dom.js';
import { listFields } from './fields.js';
import { listenToKeys } from './keys.js';
import { Labels } from './labels.js';
import { drawLegend } from './legend.js';
import { readLedger } from './marks.js';
import { withUnit } from './numbers.js';
import { Player } from './player.js';
import { Stage } from './stage.js';
import { makeTime } from './time.js';
import { makeTools } from './tools.js';
import { wantedTime, wantedView } from './wishes.js';
import { howItWent, whatThereIs } from './words.js';

/** What colours best at first: rods alone by how much they are bent, everything else by body. */
export function firstColour(data, fields) {
  const kinds = new Set(data.bodies.map((b) => b.kind));
  return kinds.size === 1 && kinds.has('rod') && fields.some((f) => f.key === 'bending') ? 'bending' : '';
}

/** Trails say something where few things move. */
export function trailsAtFirst(data) {
  const few = data.bodies.filter((b) => b.kind === 'rigid').length <= 6 && !data.bodies.some((b) => b.kind === 'rod' && data.bodies.length > 3);
  return few && data.bodies.some((b) => b.kind !== 'rod');
}

export class App {
  constructor(root, data, wish = {}, keep = null) {
    this.data = data;
    this.player = new Player(data.time);
    this.ledger = readLedger(data);
    this.analysis = readAnalysis(data);
    this.state = { dark: false, stage: null, plots: null, labels: null, legend: null };
    this.ends = []; // what must be undone
    this.build(clear(root), wish, keep);
  }

  build(root, wish, keep) {
    const { data, player, state, analysis } = this;
    document.title = data.page.title;
    const failed = data.page.summary && data.page.summary.outcome === 'diverged';
    const theme = el('button', { type: 'button', id: 'theme', class: 'theme', 'aria-label': 'dark or light', title: 'dark or light (d)', onclick: () => this.setTheme(!state.dark) }, '◐');
    const thinned = data.page.frames && data.page.frames.kept < data.page.frames.total ? `, ${data.page.frames.kept} of ${data.page.frames.total} frames` : '';
    const said = about(data.page.model);
    const header = el('header', {}, el('h1', {}, data.page.title), theme,
      el('p', failed ? { class: 'bad' } : {}, [whatThereIs(data), analysis ? analysis.words : howItWent(data)].filter(Boolean).join(' · ') + thinned),
      said ? el('p', { class: 'about', title: said }, said) : null);
    const room = el('div', { class: 'stage' });
    const { aside, fill } = makeAside(this);
    root.append(header, room, makeTime(this), aside);
    const media = window.matchMedia('(prefers-color-scheme: dark)');
    const onMedia = () => this.setTheme(media.matches);
    media.addEventListener('change', onMedia);
    this.ends.push(() => media.removeEventListener('change', onMedia));
    const dark = keep ? keep.dark : wish.dark !== undefined ? wish.dark !== '0' : media.matches;
    state.stage = this.makeStage(room);
    if (state.stage) this.furnish(room, dark, wish, keep);
    else this.setTheme(dark);
    const stage = state.stage;
    this.ends.push(listenToKeys(player, stage, {
      faster: (n) => state.faster(n), loop: () => state.setLoop(!player.loop), theme: () => this.setTheme(!state.dark),
      look: (name) => { stage.touched = false; stage.look(name); }, help: () => state.choose('Model'),
    }));
    const t = keep ? (keep.atEnd ? player.end : keep.t) : wantedTime(wish.t, player);
    if (analysis && analysis.modes.length && !keep) state.pick(Math.max(1, Math.min(analysis.modes.length, Math.floor(t === null ? analysis.first : t))), false);
    player.set(t === null ? player.start : t);
    if (stage) stage.draw();
    if (keep) {
      fill();
      this.restore(keep);
    } else {
      requestAnimationFrame(() => { // the scene first
        fill();
        if (analysis && analysis.modes.length && t === null && !window.matchMedia('(prefers-reduced-motion: reduce)').matches) player.play();
      });
    }
  }

  makeStage(root) {
    const { data } = this;
    const canvas = el('canvas', { role: 'img', 'aria-label': `Three-dimensional view: ${data.page.title}`, tabindex: '0' });
    const instead = (text) => { canvas.remove(); root.append(el('p', { class: 'note', style: 'padding:4rem 1rem;text-align:center' }, text)); return null; };
    root.append(canvas);
    if (!data.channels.some((c) => ['position', 'points'].includes(c.what))) return instead('The results hold no positions to draw; the curves are beside.');
    try {
      return new Stage(canvas, data, this.ledger, this.analysis);
    } catch (error) {
      return instead(`This browser cannot draw in three dimensions here (${error.message}). Curves and events work all the same.`);
    }
  }

  furnish(room, dark, wish, keep) {
    const { data, player, state } = this;
    const { stage } = state;
    const fields = listFields(data);
    stage.trails.group.visible = trailsAtFirst(data);
    const labels = el('div', { class: 'labels', 'aria-hidden': 'true' });
    state.legend = el('div', { class: 'legend', id: 'legend' });
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('class', 'axes');
    svg.innerHTML = '<defs><marker id="tip" viewBox="0 0 6 6" refX="3" refY="3" markerWidth="4" markerHeight="4" orient="auto"><path d="M0 0L6 3L0 6Z"/></marker></defs>';
    room.append(labels, state.legend, svg, el('div', { class: 'scale' }, `squares of ${withUnit(stage.ground.step, 'm', 2)}`));
    state.labels = new Labels(labels, stage);
    const axes = new Axes(svg, data.page.gravity);
    stage.listeners.push(() => axes.update(stage.camera));
    makeTools(this, room, fields);
    stage.resize(room.clientWidth, room.clientHeight);
    this.setTheme(dark);
    const wanted = keep ? keep.colour : fields.some((f) => f.key === wish.colour) || wish.colour === '' ? wish.colour : firstColour(data, fields);
    state.setColour(fields.some((f) => f.key === wanted) ? wanted : '');
    player.subscribe((t, what) => { if (what === 'time') stage.setTime(t); stage.hurry(player.playing); });
    stage.setTime(player.start);
    stage.look(wantedView(wish.view) || 'home');
    const watch = new ResizeObserver(() => {
      this.makeRoom();
    });
    watch.observe(room);
    this.ends.push(() => watch.disconnect());
    stage.controls.addEventListener('start', () => { stage.touched = true; });
    for (const b of room.querySelectorAll('[data-view]')) b.addEventListener('click', () => { stage.touched = false; });
  }

  setTheme(dark) {
    const { state } = this;
    state.dark = dark;
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    if (state.stage) { state.stage.setTheme(dark); this.drawLegend(); }
    if (state.plots) state.plots.setTheme(dark);
  }

  drawLegend() {
    if (!this.state.legend) return;
    drawLegend(this.state.legend, this.state.stage, this.state.dark);
    this.makeRoom();
  }

  /** The scene keeps clear of the tools above, and of the legend where that is wide for the screen. */
  makeRoom() {
    const { stage, legend } = this.state;
    const room = legend.parentElement;
    const wide = legend.offsetWidth > 0.36 * room.clientWidth;
    const tools = room.querySelector('.tools');
    stage.setRoom(tools ? tools.offsetTop + tools.offsetHeight : 0, wide ? legend.offsetHeight + 8 : 0);
    stage.resize(room.clientWidth, room.clientHeight);
    if (stage.view && !stage.touched) stage.look(stage.view);
  }

  /** What somebody has set, for an app that takes this one's place. */
  snapshot() {
    const { player, state } = this;
    const { stage } = state;
    return {
      t: player.t, atEnd: player.t >= player.end, playing: player.playing, speed: player.speed, loop: player.loop, dark: state.dark, tab: state.tab,
      colour: state.colour || '', follow: stage ? stage.follow : null, touched: Boolean(stage && stage.touched), view: stage && stage.view,
      camera: stage ? stage.cameraNow() : null, aside: document.querySelector('.tab:not([hidden])')?.scrollTop || 0,
    };
  }

  restore(keep) {
    const { player, state } = this;
    const { stage } = state;
    player.speed = keep.speed;
    state.setLoop(keep.loop);
    if (keep.tab) state.choose(keep.tab);
    if (stage) {
      if (keep.follow !== null) state.setFollow(keep.follow);
      stage.touched = keep.touched;
      if (keep.touched && keep.camera) stage.setCamera(keep.camera);
      else if (keep.view) stage.look(keep.view);
    }
    const pane = document.querySelector('.tab:not([hidden])');
    if (pane) pane.scrollTop = keep.aside;
    if (keep.playing) player.play();
  }

  dispose() {
    this.player.pause();
    for (const end of this.ends) end();
    if (this.state.stage) this.state.stage.dispose();
  }
}
