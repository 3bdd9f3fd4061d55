/* SPDX-License-Identifier: Apache-2.0
 * scene.h: bodies and obstacles at some times, as SVG figures. */
#ifndef ZW_RECORD_SCENE_H
#define ZW_RECORD_SCENE_H

#include "base/arena.h"
#include "base/text.h"
#include "model/model.h"
#include "zwang/results.h"

enum { ZW_SCENE_TIMES = 8 };

/* one figure when the motion stays in a plane along the axes, otherwise a view from above the side and three along the axes; nothing
 * when the results hold no positions */
zw_status zw_scene_write(zw_text *t, zw_arena *a, const zw_results *r, const zw_model *model); /* NULL: not known, then without obstacles */

#endif
