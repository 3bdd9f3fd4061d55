/* SPDX-License-Identifier: Apache-2.0
 * results.h: simulate a model into a directory, and read a directory back.
 *
 * While running: DIR/journal.zwj (append only, each record with a checksum), DIR/checkpoint-a, -b (two kept), DIR/model.yaml, DIR/lock.
 * At the end: DIR/results.h5 (time-major arrays), DIR/summary.json, DIR/view.html, DIR/report.html. After a crash the next command on DIR recovers
 * results.h5 from the journal. */
#ifndef ZWANG_RESULTS_H
#define ZWANG_RESULTS_H

#include "zwang/modes.h"
#include "zwang/run.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zw_progress {
    int64_t step, steps;
    double  t, until, wall_s, eta_s; /* eta_s < 0: not known yet */
} zw_progress;
typedef void (*zw_progress_fn)(void *user, const zw_progress *p);

typedef struct zw_simulate_def {
    size_t         size; /* sizeof(zw_simulate_def) of the caller */
    const char    *directory;
    bool           force;               /* replace results that are there                                      */
    bool           resume;              /* go on from the last checkpoint                                      */
    bool           report;              /* write report.html and view.html                                     */
    double         checkpoint_interval; /* s of wall time                                                      */
    zw_progress_fn progress;            /* called about ten times a second; NULL: none                         */
    void          *progress_user;
    const char
        *view_page; /* the viewer, to be filled as DIR/view.html when report is set; NULL: no such page. It has marks for title and data */
    size_t view_page_size;
} zw_simulate_def;

ZW_API zw_simulate_def zw_simulate_def_default(void); /* report on, a checkpoint every 5 s             */
/* *summary_json (zw_string_free) is set whenever a run took place, also when it diverged or was interrupted */
ZW_API zw_status zw_simulate(zw_context *c, const zw_model *m, const zw_simulate_def *def, char **summary_json);

/* Statics: the equilibrium of a model, or the path of equilibria that its `statics` asks for, into a directory; one frame per point. resume and checkpoints do not apply, and
 * progress has points in step, steps and the parameter in t, until; directory NULL: nothing is written. *summary_json is set whenever an equilibrium was found, also when the path then broke off */
ZW_API zw_status zw_statics(zw_context *c, const zw_model *m, const zw_simulate_def *def, char **summary_json);

/* Small motions into a directory: a frame of the state, then each mode over one period; summary_json becomes DIR/summary.json. Of def: directory, force, report */
ZW_API zw_status zw_modes_store(zw_context *c, const zw_model *m, const zw_modes *s, const zw_simulate_def *def, const char *summary_json);

typedef struct zw_results zw_results;

ZW_API zw_status zw_results_open(zw_context *c, const char *directory, zw_results **out); /* recovers after a crash                */
ZW_API void      zw_results_close(zw_results *r);
/* Within an epoch all sizes are constant; a run whose mesh never changes has one. Epochs follow each other in time, and hold the same channels by name, in other sizes and
 * with other constants (labels of nodes, ...). Frames count from 0 within their epoch; zw_results_total, _locate and _read_steady count over all epochs */
ZW_API int              zw_results_epochs(const zw_results *r);
ZW_API int64_t          zw_results_frames(const zw_results *r, int epoch);
ZW_API int64_t          zw_results_total(const zw_results *r);                                              /* frames of all epochs */
ZW_API bool             zw_results_locate(const zw_results *r, int64_t frame, int *epoch, int64_t *within); /* false: no such frame */
ZW_API int              zw_results_channel(const zw_results *r, int epoch, const char *name);               /* its number there; -1: none */
ZW_API const zw_layout *zw_results_layout(const zw_results *r, int epoch); /* channels, and constants with their values */
ZW_API const char      *zw_results_model_text(const zw_results *r);
ZW_API const char      *zw_results_summary(const zw_results *r); /* JSON, or "" when the run has not ended  */
ZW_API zw_status        zw_results_read(const zw_results *r, int epoch, int channel, int64_t first, int64_t count, double *out);
/* a channel that has one shape in all epochs with frames, as it is in the first of them; NULL: its shape changes, or it is missing in one */
ZW_API const zw_channel *zw_results_steady(const zw_results *r, const char *name);
ZW_API zw_status         zw_results_read_steady(const zw_results *r, const char *name, int64_t first, int64_t count, double *out);
/* Events of unilateral constraints.
 * row: one for each contact of each event: number of the event, time, kind (zw_event_kind), law, side, impulse, rate before and after, energy before and
 * after, dissipated, condition, order dependent, impulse against sliding. sides: their names, a line each.
 * joint_row: one for each joint that felt an impact: number of the event, joint, unique (0: it is the share of least norm), rows, moment and force on the
 * first body (6, space axes), multipliers of its rows (6). joints: their names, a line each */
enum { ZW_LEDGER_COLUMNS = 14, ZW_LEDGER_JOINT_COLUMNS = 16 };
typedef struct zw_ledger {
    int64_t       rows, joint_rows;
    const double *row, *joint_row;
    const char   *sides, *joints;
} zw_ledger;
ZW_API void      zw_results_ledger(const zw_results *r, zw_ledger *out);                         /* valid while the results are open */
ZW_API zw_status zw_export_csv(zw_context *c, const char *directory, const char *out_directory); /* one table per kind of channel       */
/* one .npz file for numpy.load, every channel as [time, ...] float64; an existing file is replaced only with force */
ZW_API zw_status zw_export_numpy(zw_context *c, const char *directory, const char *out_file, bool force);
/* rods.pvd and a VTK PolyData file per frame, for ParaView; an earlier export is replaced only with force */
ZW_API zw_status zw_export_vtk(zw_context *c, const char *directory, const char *out_directory, bool force);
/* compresses results.h5 (shuffle and deflate 1 to 9), replaced only when all of it reads back bit for bit and is smaller; sizes may be NULL */
ZW_API zw_status zw_results_pack(zw_context *c, const char *directory, int deflate, uint64_t *bytes_before, uint64_t *bytes_after);
ZW_API zw_status zw_report_write(zw_context *c, const char *directory); /* DIR/report.html from the results       */

#ifdef __cplusplus
}
#endif
#endif
