/* SPDX-License-Identifier: Apache-2.0
 * check_still.h: zwang check of a model that is not run: one of statics. */
#ifndef ZWANG_CLI_CHECK_STILL_H
#define ZWANG_CLI_CHECK_STILL_H

#include "session.h"

/* binds everything that statics needs and tells what there is; gives the exit code */
int zw_check_still(zw_session *s, const zw_model *m);

#endif
