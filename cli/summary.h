/* SPDX-License-Identifier: Apache-2.0
 * summary.h: the summary of a run as a table for people. */
#ifndef ZWANG_CLI_SUMMARY_H
#define ZWANG_CLI_SUMMARY_H

#include <stdio.h>

#include "zwang/base.h"

/* json: what zw_simulate gave; title may be "" */
zw_status zw_summary_print(zw_context *c, FILE *f, const char *title, const char *json);
#endif
