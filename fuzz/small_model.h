/* SPDX-License-Identifier: Apache-2.0
 * small_model.h: the model whose checkpoints fuzz_checkpoint restores and seeds.c writes. */
#ifndef ZW_FUZZ_SMALL_MODEL_H
#define ZW_FUZZ_SMALL_MODEL_H

static const char small_model[] = "zwang: 1\n"
                                  "bodies:\n"
                                  "  beam:\n"
                                  "    rod:\n"
                                  "      length: 1\n"
                                  "      elements: 3\n"
                                  "      section: {square: 0.1}\n"
                                  "      material: {density: 1000, young: 1e6, poisson: 0.3}\n"
                                  "constraints:\n"
                                  "  root: {clamp: beam, s: 0}\n"
                                  "probes:\n"
                                  "  tip: {position: beam, s: end}\n"
                                  "run: {until: 0.1, step: 1e-4}\n";

#endif
