/* SPDX-License-Identifier: Apache-2.0
 * picture.h: zwang view --png, --gif, --mp4. */
#ifndef ZWANG_CLI_PICTURE_H
#define ZWANG_CLI_PICTURE_H

#include "session.h"

bool zw_picture_wanted(const zw_options *o);
bool zw_picture_check(const zw_options *o, char *wrong, size_t size); /* false: an option makes no sense, and wrong says why */
/* viewer: the page to fill, of that size */
zw_status zw_picture_take(zw_session *s, const char *viewer, size_t size);

#endif
