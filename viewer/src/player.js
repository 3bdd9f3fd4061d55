// SPDX-License-Identifier: Apache-2.0
// player.js: the moment that is shown. Whoever shows it subscribes; whoever changes it calls set. Playing runs on the clock of the screen: a slow computer drops pictures, not time.

export class Player {
  constructor(time) {
    this.time = time;
    this.start = time.length ? time[0] : 0;
    this.end = time.length ? time[time.length - 1] : 0;
    this.duration = this.end - this.start;
    this.t = this.start;
    this.playing = false;
    this.loop = true;
    this.speeds = this.listSpeeds();
    this.speed = this.speeds.best;
    this.listeners = [];
    this.last = 0;
  }

  /** Times real time: powers of two around the one at which all of it takes about eight seconds, and real time itself. */
  listSpeeds() {
    const best = this.duration > 0 ? 2 ** Math.round(Math.log2(this.duration / 8)) : 1;
    const list = new Set([1]);
    for (let e = -4; e <= 3; e++) list.add(best * 2 ** e);
    return { best, list: [...list].sort((a, b) => a - b) };
  }

  /** Only from lo to hi from now on: one mode of several. */
  setWindow(lo, hi) {
    const last = this.time.filter((t) => t < hi - 1e-9 && t >= lo - 1e-9);
    if (last.length < 2) return;
    this.start = last[0];
    this.end = last[last.length - 1];
    this.duration = this.end - this.start;
    this.set(this.start);
  }

  subscribe(f) { this.listeners.push(f); }

  tell(what) { for (const f of this.listeners) f(this.t, what); }

  set(t) {
    this.t = Math.min(Math.max(t, this.start), this.end);
    this.tell('time');
  }

  /** Frames on or back, to a frame exactly. */
  step(n) {
    this.pause();
    let k = 0;
    while (k + 1 < this.time.length && this.time[k + 1] <= this.t + 1e-12 * this.duration) k++;
    const between = this.t > this.time[k] + 1e-9 * this.duration;
    this.set(this.time[Math.min(Math.max(k + (n < 0 && between ? n + 1 : n), 0), this.time.length - 1)]);
  }

  play() {
    if (this.playing || !(this.duration > 0)) return;
    if (this.t >= this.end) this.t = this.start;
    this.playing = true;
    this.last = performance.now();
    this.tell('play');
    const tick = (now) => {
      if (!this.playing) return;
      const dt = Math.min(Math.max(now - this.last, 0), 250) / 1000;
      this.last = now;
      let t = this.t + dt * this.speed;
      if (t >= this.end) {
        if (this.loop) t = this.start + ((t - this.start) % this.duration);
        else { this.set(this.end); this.pause(); return; }
      }
      this.set(t);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.tell('play');
  }

  toggle() { if (this.playing) this.pause(); else this.play(); }
}
