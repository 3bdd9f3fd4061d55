/* SPDX-License-Identifier: Apache-2.0
 * live.h: zwang view --live. */
#ifndef ZWANG_CLI_LIVE_H
#define ZWANG_CLI_LIVE_H

#include "record/view.h"
#include "session.h"

/* serves the page until it is interrupted */
zw_status zw_live_serve(zw_session *s, const zw_view_def *def);

#endif
