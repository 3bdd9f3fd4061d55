// SPDX-License-Identifier: Apache-2.0
// labels.js: names beside bodies, points and obstacles, as text above the picture: few things are named, many are not.
import { el } from './dom.js';

const MOST = 6;

export class Labels {
  constructor(root, stage) {
    this.root = root;
    this.stage = stage;
    this.items = [];
    const add = (name, place, kind) => { if (name) this.items.push({ name, place, kind, e: el('span', { class: `label ${kind}` }, name) }); };
    const { data } = stage;
    for (const b of data.bodies) {
      if (b.kind === 'lagrangian') {
        (b.points || []).forEach((name, i) => add(b.points.length === 1 ? b.name : name, (out) => stage.points.placeOf(b.index, i, out), 'point'));
      } else if (b.kind === 'rigid') add(b.name, (out) => stage.rigids.placeOf(b.index, null, out), 'body');
      else if (b.kind === 'rod') {
        const rod = stage.tubes.rods.find((r) => r.body === b);
        if (rod) add(b.name, (out) => { const i = rod.n >> 1; for (let c = 0; c < 3; c++) out[c] = rod.p[3 * i + c]; return true; }, 'body');
      }
    }
    this.few = this.items.length > 1 && this.items.length <= MOST && data.bodies.length <= 3;
    if (this.items.length > 40) this.items.length = 0;
    for (const item of this.items) root.append(item.e);
    stage.listeners.push(() => this.update());
    this.visible = this.few;
  }

  set visible(on) {
    this.shown = on;
    this.root.hidden = !on;
    if (on) this.update();
  }

  get visible() { return this.shown; }

  update() {
    if (!this.shown) return;
    const p = [0, 0, 0];
    const taken = [];
    for (const item of this.items) {
      const at = item.place(p) ? this.stage.project(p) : null;
      const far = !at || taken.some((o) => Math.abs(o[0] - at[0]) < 46 && Math.abs(o[1] - at[1]) < 15);
      item.e.style.display = far ? 'none' : '';
      if (far) continue;
      taken.push(at);
      item.e.style.transform = `translate(${(at[0] + 9).toFixed(1)}px, ${(at[1] - 22).toFixed(1)}px)`;
    }
  }
}
