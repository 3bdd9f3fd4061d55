// SPDX-License-Identifier: Apache-2.0
// points.js: lagrangian bodies: their points as small balls, the links between them as bars.
import * as THREE from 'three';
import { Balls, Sticks } from './sticks.js';

export class Points {
  constructor(data, size) {
    this.group = new THREE.Group();
    this.size = size;
    this.bodies = [];
    let points = 0;
    let links = 0;
    for (const body of data.bodies) {
      const channel = body.kind === 'lagrangian' ? data.channel(`lagrangian/${body.name}/points`) : null;
      if (!channel || channel.shape.length !== 2) continue;
      const pairs = data.constants.get(`lagrangian/${body.name}/links`);
      const link = [];
      for (let i = 0; pairs && i + 1 < pairs.length; i += 2) link.push([pairs.value(i), pairs.value(i + 1)]);
      this.bodies.push({ body, channel, n: channel.shape[0], link, ball0: points, stick0: links, p: new Float64Array(channel.width) });
      points += channel.shape[0];
      links += link.length;
    }
    this.balls = new Balls(points);
    this.sticks = new Sticks(links);
    this.group.add(this.balls.mesh, this.sticks.mesh);
  }

  sample(k, a) { for (const one of this.bodies) one.channel.sample(k, a, one.p); }

  update(k, a) {
    this.sample(k, a);
    for (const one of this.bodies) {
      const at = (i) => one.p.subarray(3 * i, 3 * i + 3);
      for (let i = 0; i < one.n; i++) this.balls.set(one.ball0 + i, at(i), 0.011 * this.size);
      one.link.forEach(([i, j], m) => this.sticks.set(one.stick0 + m, at(i), at(j), 0.0055 * this.size));
    }
  }

  recolour(paint) {
    for (const one of this.bodies) {
      const c = paint.body(one.body.index);
      for (let i = 0; i < one.n; i++) this.balls.colour(one.ball0 + i, c.map((x) => 0.75 * x));
      one.link.forEach((_, m) => this.sticks.colour(one.stick0 + m, c));
    }
  }

  placeOf(index, point, out) {
    const one = this.bodies.find((b) => b.body.index === index);
    if (!one || !(point >= 0 && point < one.n)) return false;
    for (let c = 0; c < 3; c++) out[c] = one.p[3 * point + c];
    return true;
  }

  /** Points at most one link ends in: those whose ways are worth seeing. */
  ends(one) {
    const count = new Array(one.n).fill(0);
    for (const [i, j] of one.link) { count[i]++; count[j]++; }
    const out = [];
    count.forEach((c, i) => { if (c <= 1) out.push(i); });
    return out;
  }
}
