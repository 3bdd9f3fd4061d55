/* SPDX-License-Identifier: Apache-2.0
 * rod_secant_tile.h: links of an energy-momentum step, eight at a time, each number of a link beside those of its neighbours. See rod_secant.h for what is computed.
 *
 * A link feels its nodes' places only through r = x_b - x_a; so its wrench is (moment on a, moment on b, force on b) and its derivative 9 x 9, by
 * (eta_a, eta_b, r). Node a takes minus the force, and columns of x_a are minus those of r. */
#ifndef ZW_PARTS_ROD_SECANT_TILE_H
#define ZW_PARTS_ROD_SECANT_TILE_H

#include <stdbool.h>

enum { ZW_SECANT_LANES = 8, ZW_SECANT_NODE = 12, ZW_SECANT_WRENCH = 9 };

typedef struct zw_secant_tile {
    /* in: nodes a, b before and after: x, d1, d2, d3; turn rates T (node_step.h) that the columns of eta are multiplied by, where turned */
    double node[2][2][ZW_SECANT_NODE][ZW_SECANT_LANES]; /* [a, b][before, after] */
    double rate[2][9][ZW_SECANT_LANES];
    double l[ZW_SECANT_LANES], damp[ZW_SECANT_LANES], natural[6][ZW_SECANT_LANES];
    double stiffness[36][ZW_SECANT_LANES]; /* [6] diagonal, or all where full */
    bool   full, turned;
    double scale; /* of the derivative */
    /* out */
    double wrench[ZW_SECANT_WRENCH][ZW_SECANT_LANES];
    double stored[ZW_SECANT_LANES], dissipated[ZW_SECANT_LANES], z[ZW_SECANT_LANES]; /* z: the larger of both states */
    double K[ZW_SECANT_WRENCH * ZW_SECANT_WRENCH][ZW_SECANT_LANES];
} zw_secant_tile;

typedef struct zw_secant_path {
    const char *name; /* "avx512", "avx2", "any": same bits from each */
    void (*links)(zw_secant_tile *t, bool derivative);
} zw_secant_path;

extern const zw_secant_path zw_secant_path_any, zw_secant_path_avx2, zw_secant_path_avx512;
const zw_secant_path       *zw_secant_path_best(void);

#endif
