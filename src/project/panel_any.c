/* SPDX-License-Identifier: Apache-2.0
 * panel_any.c: the loops of panel.h for the instruction set the library is built for. */
#define ZW_PANEL_ISA  any
#define ZW_PANEL_NAME "any"
#define ZW_WIDE_LANES 2
#include "project/panel_kernel.h"
