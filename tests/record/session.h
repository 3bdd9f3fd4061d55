/* SPDX-License-Identifier: Apache-2.0
 * session.h: what a run records whose links are split twice: three layouts of the same channels, with 4, 6 and 9 nodes of an open rod and 4, 5 and 8 of a ring, and 5, 7
 * and 4 frames. Positions are linear along the rod, so that lookups by label between meshes are exact; what belongs to links is a number that names the link. */
#ifndef ZW_TESTS_RECORD_SESSION_H
#define ZW_TESTS_RECORD_SESSION_H

#include "scratch.h"

enum { EPOCHS = 3, CHANNELS = 10, CONSTANTS = 6, WIDE = 160, TOTAL = 16 };

static const int    session_frames[EPOCHS] = {5, 7, 4}, session_nodes[EPOCHS] = {4, 6, 9}, session_ring[EPOCHS] = {4, 5, 8};
static const double session_label[EPOCHS][9] = {{0, 1, 2, 3}, {0, 0.5, 1, 2, 2.5, 3}, {0, 0.25, 0.5, 1, 1.5, 2, 2.25, 2.5, 3}};
static const double session_ring_label[EPOCHS][8] = {{0, 1, 2, 3}, {0, 1, 2, 3, 3.5}, {0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5}};

enum { TIME, POSITION, ORIENTATION, CURVATURE, RING_POSITION, RING_STRAIN, BALL, BALL_TURN, ENERGY, TIP };

static const char session_model[] =
    "zwang: 1\n"
    "title: Split\n"
    "bodies:\n"
    "  beam:\n"
    "    rod: {length: 3, elements: 3, section: {square: 0.1}, material: {density: 1000, young: 1e7, poisson: 0.35}}\n"
    "run: {until: 1, step: 1e-4}\n";

typedef struct session {
    zw_channel channel[CHANNELS], constant[CONSTANTS];
    double     constants[64];
    zw_layout  layout;
} session;

static inline void session_layout(int e, session *s) {
    size_t at = 0, constants = 0;
    int    n = session_nodes[e], m = session_ring[e];
    scratch_channel(&s->channel[TIME], "time", "s", 0, 0, 0, &at);
    scratch_channel(&s->channel[POSITION], "rod/beam/position", "m", 2, n, 3, &at);
    scratch_channel(&s->channel[ORIENTATION], "rod/beam/orientation", "1", 2, n, 4, &at);
    scratch_channel(&s->channel[CURVATURE], "rod/beam/curvature", "1/m", 2, n - 1, 3, &at);
    scratch_channel(&s->channel[RING_POSITION], "rod/ring/position", "m", 2, m, 3, &at);
    scratch_channel(&s->channel[RING_STRAIN], "rod/ring/strain", "1", 2, m, 3, &at);
    scratch_channel(&s->channel[BALL], "rigid/ball/position", "m", 1, 3, 0, &at);
    scratch_channel(&s->channel[BALL_TURN], "rigid/ball/orientation", "1", 1, 4, 0, &at);
    scratch_channel(&s->channel[ENERGY], "energy/total", "J", 0, 0, 0, &at);
    scratch_channel(&s->channel[TIP], "probe/tip", "m", 1, 3, 0, &at);
    scratch_channel(&s->constant[0], "rod/beam/label", "m", 1, n, 0, &constants);
    scratch_channel(&s->constant[1], "rod/beam/radius", "m", 1, n, 0, &constants);
    scratch_channel(&s->constant[2], "rod/beam/closed", "1", 0, 0, 0, &constants);
    scratch_channel(&s->constant[3], "rod/ring/label", "m", 1, m, 0, &constants);
    scratch_channel(&s->constant[4], "rod/ring/closed", "1", 0, 0, 0, &constants);
    scratch_channel(&s->constant[5], "rigid/ball/mass", "kg", 0, 0, 0, &constants);
    memcpy(s->constants, session_label[e], (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++) {
        s->constants[n + i] = 0.05;
    }
    s->constants[2 * n] = 0;
    memcpy(s->constants + 2 * n + 1, session_ring_label[e], (size_t)m * sizeof(double));
    s->constants[2 * n + 1 + m] = 1;
    s->constants[2 * n + 2 + m] = 2.5;
    assert_true(at <= WIDE && constants <= 64);
    s->layout = (zw_layout){CHANNELS, CONSTANTS, s->channel, s->constant, at, constants, s->constants};
}

/* a corner of the ring, that is a square: 0 to 4 around it */
static inline void session_corner(double s, double t, double p[3]) {
    static const double corner[5][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}};
    int                 k = s >= 4 ? 3 : (int)s;
    for (int c = 0; c < 2; c++) {
        p[c] = corner[k][c] + (s - k) * (corner[k + 1][c] - corner[k][c]);
    }
    p[2] = t;
}

static inline void session_frame(const session *s, int e, int64_t frame, double *out) {
    double t = 0.125 * (double)frame;
    int    n = session_nodes[e], m = session_ring[e];
    out[0] = t;
    for (int i = 0; i < n; i++) {
        double label = session_label[e][i], *p = out + s->channel[POSITION].offset + 3 * i,
               *q = out + s->channel[ORIENTATION].offset + 4 * i;
        p[0] = label;
        p[1] = label * t;
        p[2] = 0.5 - label;
        q[0] = cos(0.1 * label * t);
        q[1] = q[2] = 0;
        q[3] = sin(0.1 * label * t);
    }
    for (int i = 0; i < 3 * (n - 1); i++) {
        out[s->channel[CURVATURE].offset + (size_t)i] = 100 * session_label[e][i / 3] + i % 3;
    }
    for (int i = 0; i < m; i++) {
        session_corner(session_ring_label[e][i], t, out + s->channel[RING_POSITION].offset + 3 * i);
    }
    for (int i = 0; i < 3 * m; i++) {
        out[s->channel[RING_STRAIN].offset + (size_t)i] = 100 * session_ring_label[e][i / 3] + i % 3;
    }
    for (size_t i = s->channel[BALL].offset; i < s->layout.width; i++) {
        out[i] = scratch_value(frame, i - s->channel[BALL].offset);
    }
}

static inline void session_record(zw_journal_writer *w, int e, int64_t first, int64_t count) {
    session s;
    double  frame[WIDE];
    session_layout(e, &s);
    for (int64_t i = first; i < first + count; i++) {
        session_frame(&s, e, i, frame);
        assert_int_equal(zw_journal_frame(w, frame, s.layout.width), ZW_OK);
    }
}

static inline zw_journal_writer *session_create(scratch *x) {
    zw_run_label       label = {.hash = 0x1234, .seed = 42, .title = "Split", .text = session_model};
    zw_journal_writer *w;
    assert_int_equal(zw_journal_create(x->context, x->dir.fd, x->path, &label, &w), ZW_OK);
    return w;
}

static inline void session_write(scratch *x, bool ended) {
    zw_journal_writer *w = session_create(x);
    int64_t            done = 0;
    for (int e = 0; e < EPOCHS; e++) {
        session s;
        session_layout(e, &s);
        assert_int_equal(zw_journal_epoch(w, &s.layout), ZW_OK);
        session_record(w, e, done, session_frames[e]);
        done += session_frames[e];
    }
    if (ended) {
        assert_int_equal(zw_journal_end(w, 1, "{\"outcome\": \"reached\", \"t\": 1.875, \"steps\": 15}\n"), ZW_OK);
    }
    zw_journal_close(w);
}

#endif
