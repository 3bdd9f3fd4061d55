// SPDX-License-Identifier: Apache-2.0
// tubes.js: all rods as one surface with their section shape. Buffers are made once; each frame writes places, normals and colours into them: one draw call for any number
// of rods. Between nodes of a small scene the curve is refined (Catmull and Rom's spline), so that few elements do not look like a broken line.
import * as THREE from 'three';

const FINE_NODES = 1200;
const MANY_NODES = 3000;

/** Light for many rods: computed at corners, not at every pixel, which is what a computer without a graphics card can do in time. Same sun and sky as the other materials. */
const cornerLit = () => new THREE.ShaderMaterial({
  vertexColors: true,
  uniforms: { sky: { value: 1 } },
  vertexShader: `
    varying vec3 tint;
    uniform float sky;
    void main() {
      vec3 n = normalize(normalMatrix * normal);
      vec3 sun = normalize((viewMatrix * vec4(-0.7, -1.1, 2.4, 0.0)).xyz);
      vec3 up = normalize((viewMatrix * vec4(0.0, 0.0, 1.0, 0.0)).xyz);
      tint = color * (sky * (0.36 + 0.16 * dot(n, up)) + 0.62 * max(dot(n, sun), 0.0) + 0.22 * max(n.z, 0.0));
      gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
    }`,
  fragmentShader: `
    varying vec3 tint;
    void main() {
      gl_FragColor = vec4(tint, 1.0);
      #include <colorspace_fragment>
    }`,
});

/** Outline of a section: [x, y, nx, ny] with x along d1, y along d2; corners stand twice, once for each face. */
function outline(kind, sides) {
  if (kind === 'square' || kind === 'rectangle') {
    const corner = [[0.5, -0.5], [0.5, 0.5], [-0.5, 0.5], [-0.5, -0.5]];
    const normal = [[1, 0], [0, 1], [-1, 0], [0, -1]];
    return corner.flatMap((c, i) => [[...c, ...normal[i]], [...corner[(i + 1) % 4], ...normal[i]]]);
  }
  return Array.from({ length: sides }, (_, i) => {
    const a = (2 * Math.PI * i) / sides;
    return [Math.cos(a), Math.sin(a), Math.cos(a), Math.sin(a)];
  });
}

export class Tubes {
  constructor(data, size) {
    this.rods = [];
    let nodes = 0;
    for (const body of data.bodies) {
      const position = body.kind === 'rod' ? data.channel(`rod/${body.name}/position`) : null;
      if (position && position.shape[0] > 1) {
        nodes += position.shape[0];
        this.rods.push({ body, position, n: position.shape[0] });
      }
    }
    const fine = nodes < FINE_NODES ? Math.max(1, Math.min(4, Math.floor(FINE_NODES / nodes))) : 1;
    const sides = nodes < FINE_NODES ? 20 : nodes < MANY_NODES ? 10 : 5;
    let vertices = 0;
    let triangles = 0;
    for (const rod of this.rods) {
      this.prepare(rod, data, fine, sides, size);
      rod.vertex0 = vertices;
      vertices += rod.rings * rod.outline.length + (rod.closed ? 0 : 2 * rod.outline.length);
      const faces = rod.flat ? rod.outline.length / 2 : rod.outline.length;
      triangles += 2 * faces * (rod.rings - 1) + (rod.closed ? 0 : 2 * (rod.outline.length - 2));
    }
    this.triangles = triangles;
    this.positions = new Float32Array(3 * vertices);
    this.normals = new Float32Array(3 * vertices);
    this.colours = new Float32Array(3 * vertices);
    const index = new Uint32Array(3 * triangles);
    let at = 0;
    for (const rod of this.rods) at = this.connect(rod, index, at);
    const geometry = new THREE.BufferGeometry();
    this.attributes = ['position', 'normal', 'color'].map((name, i) => {
      const attribute = new THREE.BufferAttribute([this.positions, this.normals, this.colours][i], 3);
      attribute.setUsage(THREE.DynamicDrawUsage);
      geometry.setAttribute(name, attribute);
      return attribute;
    });
    this.fineIndex = new THREE.BufferAttribute(index, 1);
    geometry.setIndex(this.fineIndex);
    this.coarseIndex = {};
    this.mesh = new THREE.Mesh(geometry, nodes < MANY_NODES ? new THREE.MeshPhongMaterial({ vertexColors: true, shininess: 38, specular: 0x2a2a2a }) : cornerLit());
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.directors = this.makeDirectors(nodes);
  }

  prepare(rod, data, fine, sides, size) {
    const { body, n } = rod;
    const get = (what) => data.constants.get(`rod/${body.name}/${what}`);
    const radius = get('radius');
    const section = body.section && body.section.size ? body.section : null;
    rod.turn = data.channel(`rod/${body.name}/orientation`);
    rod.label = get('label');
    rod.closed = Boolean(get('closed') && get('closed').value(0) > 0);
    rod.kind = section ? section.kind : 'round';
    rod.flat = rod.kind === 'square' || rod.kind === 'rectangle';
    rod.outline = outline(rod.kind, sides);
    rod.half = new Float32Array(2 * n); // sizes along d1, d2 at nodes
    const sizes = section ? data.numbers(section.size) : null;
    for (let i = 0; i < n; i++) {
      let a = radius ? radius.value(Math.min(i, radius.length - 1)) : 0;
      let b = a;
      if (sizes && 2 * i + 1 < sizes.length) {
        a = sizes.value(2 * i);
        b = rod.kind === 'rectangle' ? sizes.value(2 * i + 1) : a;
      }
      const least = 0.0042 * size * (rod.flat ? 2 : 1); // a hair would not be seen
      rod.half[2 * i] = Math.max(a, least);
      rod.half[2 * i + 1] = Math.max(b, least);
    }
    rod.fine = fine;
    rod.spans = rod.closed ? n : n - 1;
    rod.rings = rod.spans * fine + 1;
    rod.p = new Float64Array(3 * n);
    rod.q = new Float64Array(4 * n);
    rod.value = new Float64Array(n);
    rod.place = new Float64Array(3 * rod.rings);
    rod.axes = new Float64Array(6 * rod.rings);
  }

  connect(rod, index, at, stride = 1) {
    const m = rod.outline.length;
    for (let r = 0; r + 1 < rod.rings; r += stride) {
      const up = m * Math.min(stride, rod.rings - 1 - r); // to the next ring that is drawn
      for (let j = 0; j < m; j += rod.flat ? 2 : 1) {
        const a = rod.vertex0 + r * m + j;
        const b = rod.vertex0 + r * m + ((j + 1) % m);
        index.set([a, b, a + up, b, b + up, a + up], at); // seen from outside, counter-clockwise
        at += 6;
      }
    }
    if (!rod.closed) {
      const start = rod.vertex0 + rod.rings * m;
      for (let j = 1; j + 1 < m; j++) {
        index.set([start, start + j + 1, start + j, start + m, start + m + j, start + m + j + 1], at);
        at += 6;
      }
    }
    return at;
  }

  /** Only every second or fourth ring, while a slow computer plays: less work, and hardly seen in motion. */
  setCoarse(stride) {
    if (stride > 1 && !this.coarseIndex[stride]) {
      const index = new Uint32Array(this.fineIndex.array.length);
      let at = 0;
      for (const rod of this.rods) at = this.connect(rod, index, at, stride);
      this.coarseIndex[stride] = new THREE.BufferAttribute(index.slice(0, at), 1);
    }
    this.mesh.geometry.setIndex(stride > 1 ? this.coarseIndex[stride] : this.fineIndex);
  }

  makeDirectors(nodes) {
    const geometry = new THREE.BufferGeometry();
    const positions = new Float32Array(18 * nodes);
    const colours = new Float32Array(18 * nodes);
    const colour = [[0.75, 0.2, 0.1], [0.1, 0.55, 0.25], [0.15, 0.3, 0.8]];
    for (let i = 0; i < 3 * nodes; i++) for (let k = 0; k < 2; k++) colours.set(colour[i % 3], 6 * i + 3 * k);
    geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3).setUsage(THREE.DynamicDrawUsage));
    geometry.setAttribute('color', new THREE.BufferAttribute(colours, 3));
    const lines = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ vertexColors: true }));
    lines.frustumCulled = false;
    lines.visible = false;
    return lines;
  }

  get hasDirectors() { return this.rods.some((r) => r.turn); }

  /** Where nodes and directors are at a moment. */
  sample(k, a) {
    for (const rod of this.rods) {
      rod.position.sample(k, a, rod.p);
      if (rod.turn) rod.turn.sampleTurns(k, a, rod.q); else transport(rod);
    }
  }

  /** Writes all buffers for a moment. colourOf(rod, nodeValues) fills numbers of nodes; paint gives colours of a number. */
  update(k, a, field, paint) {
    let director = 0;
    this.sample(k, a);
    for (const rod of this.rods) {
      this.curve(rod);
      this.sweep(rod);
      this.colour(rod, k, a, field, paint);
      if (this.directors.visible && rod.turn) director = this.drawDirectors(rod, director);
    }
    for (const attribute of this.attributes) attribute.needsUpdate = true;
    if (this.directors.visible) this.directors.geometry.attributes.position.needsUpdate = true;
  }

  recolour(k, a, field, paint) {
    for (const rod of this.rods) this.colour(rod, k, a, field, paint);
    this.attributes[2].needsUpdate = true;
  }

  /** Places of rings, and d1, d2 there. */
  curve(rod) {
    const { p, q, n, fine, place, axes, closed } = rod;
    let r = 0;
    for (let i = 0; i < rod.spans; i++) {
      const j = (i + 1) % n;
      const before = i > 0 ? i - 1 : closed ? n - 1 : -1;
      const after = j + 1 < n ? j + 1 : closed ? 0 : -1;
      for (let f = 0; f < fine + (i === rod.spans - 1 ? 1 : 0); f++, r++) {
        const u = f / fine;
        const v = 1 - u;
        const h0 = u * v * v;
        const h1 = -u * u * v;
        const w0 = v * v * (1 + 2 * u);
        const w1 = u * u * (3 - 2 * u);
        for (let c = 0; c < 3; c++) {
          const x0 = p[3 * i + c];
          const x1 = p[3 * j + c];
          if (fine === 1) { place[3 * r + c] = u ? x1 : x0; continue; }
          const m0 = before >= 0 ? (x1 - p[3 * before + c]) / 2 : x1 - x0;
          const m1 = after >= 0 ? (p[3 * after + c] - x0) / 2 : x1 - x0;
          place[3 * r + c] = w0 * x0 + w1 * x1 + h0 * m0 + h1 * m1;
        }
        let s = u;
        if (u > 0) {
          const dot = q[4 * i] * q[4 * j] + q[4 * i + 1] * q[4 * j + 1] + q[4 * i + 2] * q[4 * j + 2] + q[4 * i + 3] * q[4 * j + 3];
          s = dot < 0 ? -u : u;
        }
        let w = v * q[4 * i] + s * q[4 * j];
        let x = v * q[4 * i + 1] + s * q[4 * j + 1];
        let y = v * q[4 * i + 2] + s * q[4 * j + 2];
        let z = v * q[4 * i + 3] + s * q[4 * j + 3];
        const l = 1 / Math.sqrt(w * w + x * x + y * y + z * z || 1);
        w *= l; x *= l; y *= l; z *= l;
        axes[6 * r] = 1 - 2 * (y * y + z * z); axes[6 * r + 1] = 2 * (x * y + w * z); axes[6 * r + 2] = 2 * (x * z - w * y);
        axes[6 * r + 3] = 2 * (x * y - w * z); axes[6 * r + 4] = 1 - 2 * (x * x + z * z); axes[6 * r + 5] = 2 * (y * z + w * x);
      }
    }
  }

  sweep(rod) {
    const { positions, normals } = this;
    const { place, axes, outline: edge, fine, half, n } = rod;
    const m = edge.length;
    let o = 3 * rod.vertex0;
    for (let r = 0; r < rod.rings; r++) {
      const i = Math.min(Math.floor(r / fine), n - 1);
      const j = Math.min(i + 1, n - 1);
      const u = (r - i * fine) / fine;
      const a = half[2 * i] + (half[2 * j] - half[2 * i]) * u;
      const b = half[2 * i + 1] + (half[2 * j + 1] - half[2 * i + 1]) * u;
      const [x, y, z] = [place[3 * r], place[3 * r + 1], place[3 * r + 2]];
      const [a0, a1, a2, b0, b1, b2] = [axes[6 * r], axes[6 * r + 1], axes[6 * r + 2], axes[6 * r + 3], axes[6 * r + 4], axes[6 * r + 5]];
      for (let k = 0; k < m; k++, o += 3) {
        const e = edge[k];
        const s = a * e[0];
        const t = b * e[1];
        positions[o] = x + s * a0 + t * b0; positions[o + 1] = y + s * a1 + t * b1; positions[o + 2] = z + s * a2 + t * b2;
        normals[o] = e[2] * a0 + e[3] * b0; normals[o + 1] = e[2] * a1 + e[3] * b1; normals[o + 2] = e[2] * a2 + e[3] * b2;
      }
    }
    if (rod.closed) return;
    for (let end = 0; end < 2; end++) { // caps
      const r = end ? rod.rings - 1 : 0;
      const from = 3 * (rod.vertex0 + r * m);
      const [a0, a1, a2, b0, b1, b2] = axes.subarray(6 * r, 6 * r + 6);
      const s = end ? 1 : -1;
      const [nx, ny, nz] = [s * (a1 * b2 - a2 * b1), s * (a2 * b0 - a0 * b2), s * (a0 * b1 - a1 * b0)];
      for (let k = 0; k < m; k++, o += 3) {
        positions.copyWithin(o, from + 3 * k, from + 3 * k + 3);
        normals[o] = nx; normals[o + 1] = ny; normals[o + 2] = nz;
      }
    }
  }

  colour(rod, k, a, field, paint) {
    const { colours } = this;
    const m = rod.outline.length;
    const source = field && field.sources.get(rod.body.index);
    let o = 3 * rod.vertex0;
    if (!source) {
      const [r, g, b] = paint.body(rod.body.index);
      const end = o + 3 * (rod.rings + (rod.closed ? 0 : 2)) * m;
      for (; o < end; o += 3) { colours[o] = r; colours[o + 1] = g; colours[o + 2] = b; }
      return;
    }
    const v = nodeValues(rod, source, k, a);
    const one = [0, 0, 0];
    const fill = (x) => {
      paint.number(x, one);
      for (let j = 0; j < m; j++, o += 3) { colours[o] = one[0]; colours[o + 1] = one[1]; colours[o + 2] = one[2]; }
    };
    for (let r = 0; r < rod.rings; r++) {
      const i = Math.min(Math.floor(r / rod.fine), rod.n - 1);
      const j = rod.closed ? (i + 1) % rod.n : Math.min(i + 1, rod.n - 1);
      fill(v[i] + (v[j] - v[i]) * (r / rod.fine - i));
    }
    if (!rod.closed) { fill(v[0]); fill(v[rod.n - 1]); }
  }

  drawDirectors(rod, at) {
    const out = this.directors.geometry.attributes.position.array;
    const every = Math.max(1, Math.ceil(rod.n / 26));
    let length = 0;
    for (let i = 0; i + 1 < rod.n; i++) length += Math.hypot(rod.p[3 * i + 3] - rod.p[3 * i], rod.p[3 * i + 4] - rod.p[3 * i + 1], rod.p[3 * i + 5] - rod.p[3 * i + 2]);
    const reach = Math.max(2.2 * rod.half[0], 0.05 * length);
    for (let i = 0; i < rod.n; i++) {
      const [w, x, y, z] = rod.q.subarray(4 * i, 4 * i + 4);
      const d = [[1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
        [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)]];
      for (let c = 0; c < 3; c++, at += 6) {
        const s = i % every === 0 ? reach * (c === 2 ? 0.6 : 1) : 0;
        for (let j = 0; j < 3; j++) { out[at + j] = rod.p[3 * i + j]; out[at + 3 + j] = rod.p[3 * i + j] + s * d[c][j]; }
      }
    }
    return at;
  }

  /** Which node a label is at, with the part of the way to the next. */
  locate(rod, s) {
    const last = rod.n - 1;
    let x = 0;
    if (rod.label && s !== undefined) {
      while (x < last - 1 && rod.label.value(x + 1) < s) x++;
      const step = rod.label.value(x + 1) - rod.label.value(x);
      x += step > 0 ? Math.min(1, Math.max(0, (s - rod.label.value(x)) / step)) : 0;
    }
    return x;
  }

  /** Directors at label s of a rod now. */
  turnOf(index, s) {
    const rod = this.rods.find((r) => r.body.index === index);
    if (!rod) return null;
    const i = Math.round(this.locate(rod, s));
    return new THREE.Quaternion(rod.q[4 * i + 1], rod.q[4 * i + 2], rod.q[4 * i + 3], rod.q[4 * i]);
  }

  /** Where label s of a rod is now. */
  placeOf(index, s, out) {
    const rod = this.rods.find((r) => r.body.index === index);
    if (!rod) return false;
    const x = this.locate(rod, s);
    const i = Math.min(Math.floor(x), rod.n - 2);
    for (let c = 0; c < 3; c++) out[c] = rod.p[3 * i + c] + (rod.p[3 * i + 3 + c] - rod.p[3 * i + c]) * (x - i);
    return true;
  }
}

/** Numbers of nodes: those of links are shared by their two nodes. */
function nodeValues(rod, source, k, a) {
  const v = rod.value;
  if (source.count >= rod.n) {
    if (!rod.all || rod.all.length !== source.count) rod.all = new Float64Array(source.count);
    source.sample(k, a, rod.all);
    for (let i = 0; i < rod.n; i++) v[i] = rod.all[i];
    return v;
  }
  if (!rod.links || rod.links.length !== source.count) rod.links = new Float64Array(source.count);
  source.sample(k, a, rod.links);
  const last = source.count - 1;
  for (let i = 0; i < rod.n; i++) v[i] = (rod.links[Math.max(0, Math.min(i - 1, last))] + rod.links[Math.min(i, last)]) / 2;
  return v;
}

/** Turns of a rod whose directors were not recorded: carried along the curve without twist. */
function transport(rod) {
  const { p, q, n } = rod;
  const from = new THREE.Vector3(0, 0, 1);
  const to = new THREE.Vector3();
  const turn = new THREE.Quaternion();
  const step = new THREE.Quaternion();
  for (let i = 0; i < n; i++) {
    const j = Math.min(i, n - 2);
    to.set(p[3 * j + 3] - p[3 * j], p[3 * j + 4] - p[3 * j + 1], p[3 * j + 5] - p[3 * j + 2]);
    if (to.lengthSq() > 0) {
      to.normalize();
      turn.premultiply(step.setFromUnitVectors(from, to));
      from.copy(to);
    }
    q[4 * i] = turn.w; q[4 * i + 1] = turn.x; q[4 * i + 2] = turn.y; q[4 * i + 3] = turn.z;
  }
}
