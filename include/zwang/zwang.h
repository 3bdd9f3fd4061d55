/* SPDX-License-Identifier: Apache-2.0
 * zwang.h: the whole public interface. Read the headers in the order of the data flow. */
#ifndef ZWANG_ZWANG_H
#define ZWANG_ZWANG_H

#include "zwang/base.h"
#include "zwang/model.h"
#include "zwang/state.h"
#include "zwang/project.h"
#include "zwang/system.h"
#include "zwang/secant.h"
#include "zwang/grow.h"
#include "zwang/step.h"
#include "zwang/verify.h"
#include "zwang/modes.h"
#include "zwang/run.h"
#include "zwang/results.h"

#endif
