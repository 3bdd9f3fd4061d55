/* SPDX-License-Identifier: Apache-2.0
 * verify.h: the mechanics of a model checked against itself at random admissible states: accelerations by every principle, derivatives against
 * differences, Gauss's minimum, reactions that do no work, the balance of power. Whatever parts a model has, what applies to them is checked. */
#ifndef ZWANG_VERIFY_H
#define ZWANG_VERIFY_H

#include "zwang/system.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zw_verify_def {
    size_t   size;   /* sizeof(zw_verify_def) of the caller */
    int      states; /* how many admissible states          */
    uint64_t seed;   /* of the generator they come from     */
} zw_verify_def;

/* name, what is compared with what */
#define ZW_VERIFY_LIST(X)                                                                                         \
    X(MULTIPLIER, "accelerations: multiplier", "Gauss's projection with the multiplier form, dense LU")           \
    X(MACMILLAN, "accelerations: macmillan", "Gauss's projection with Mac-Millan's reduced equations")            \
    X(UDWADIA, "accelerations: udwadia-kalaba", "Gauss's projection with the pseudo-inverse, by singular values") \
    X(REACTIONS, "multipliers", "the forces of the rows by the formulations, where they are unique")              \
    X(HOLD, "rows hold", "A a + D with 0")                                                                        \
    X(ZWANG, "zwang grows", "Z(a + d) - Z(a) with d'M d/2 for admissible d (rods: eq. 43)")                       \
    X(WORK, "reactions do no work", "lambda'A d with 0 for admissible d (rods: eq. 32)")                          \
    X(VARIATION, "variations, eq. 14", "A S with 0, and the rows along S w by differences")                       \
    X(EQUATION, "equation 13", "its left with its right side at Gauss's accelerations")                           \
    X(ROWS, "rows", "A with differences of the velocity level over v")                                            \
    X(LEVEL, "rows: velocity level", "d/dt of the position level by differences")                                 \
    X(RATE, "rows: rate", "D with differences of the velocity level along the motion")                            \
    X(MASS, "metric", "M with second differences of the kinetic energy")                                          \
    X(BIAS, "velocity terms", "c with Euler-Lagrange differences of the kinetic energy")                          \
    X(FORCE, "forces", "forces with differences of the potential energy (and dissipation)")                       \
    X(POWER, "power", "rate of the energy along (v, a) with the power of all that acts")                          \
    X(INTERNAL, "rods: internal forces", "force and moment of all links of a rod with 0")                         \
    X(STRAINS, "rods: strains, eq. 4", "ee + eg + ee eg with the total strain, arc of the helix")                 \
    X(COMPATIBLE, "rods: compatibility, eq. 19", "rate of the bend-twist by frames with angular velocities")      \
    X(SPACE, "rods: zwang in space, eq. 45", "Z_s(x + d) - Z_s(x) with d'D d/2 for admissible d")                 \
    X(IDEAL, "rods: reactions, eq. 34", "r.d with 0 for admissible changes d of the strain gradient")             \
    X(REST, "rods: equilibrium by Z_s", "gradient that minimises Z_s with that of the search for rest")           \
    X(GROWTH, "rods: growth power", "rate of the energy at fixed nodes with ldot times the driving force")

typedef enum zw_verify_kind {
#define ZW_VERIFY_ENUM(name, title, compared) ZW_VERIFY_##name,
    ZW_VERIFY_LIST(ZW_VERIFY_ENUM)
#undef ZW_VERIFY_ENUM
        ZW_VERIFY_CHECKS
} zw_verify_kind;

typedef struct zw_verify_check {
    const char *name, *compared;
    int         states;    /* how many states it was made at; 0: it does not apply, see note    */
    double      largest;   /* relative difference where it was largest beside its tolerance     */
    double      tolerance; /* there                                                             */
    int         state;     /* number of that state, from 1; 0: none                             */
    char        where[96]; /* row, coordinate or direction there; may be empty                  */
    char        note[96];  /* why it was left out; empty otherwise                              */
    bool        ok;
} zw_verify_check;

typedef struct zw_verification {
    bool            ok;
    int             states;   /* admissible ones that were checked */
    int             tried;    /* random ones that were made        */
    int             rejected; /* tried - states, for one of these: */
    int             rejected_position, rejected_velocity, rejected_undefined;
    int             n, rows;            /* velocities and equality rows                                      */
    int             redundant_states;   /* states with redundant rows: formulations ran on independent ones  */
    int             redundant;          /* the most redundant rows of a state                                */
    double          condition;          /* largest cond(A M^-1 A') of the independent rows, scaled           */
    double          disagreement;       /* of accelerations, largest over all pairs of formulations, relative */
    const char     *between[2];         /* that pair; NULL: nothing was compared                             */
    int             disagreement_state; /* from 1                                                            */
    zw_verify_check check[ZW_VERIFY_CHECKS];
} zw_verification;

ZW_API zw_verify_def zw_verify_def_default(void); /* 100 states, seed 1 */
/* Does not fail because a check does: see out->ok. ZW_E_UNSUPPORTED when nothing in the model moves by forces, ZW_E_CONVERGENCE when hardly any
 * random state is admissible. Errors of rejected states are forgotten, with what the context held before. */
ZW_API zw_status zw_verify(zw_system *y, const zw_verify_def *def, zw_verification *out);

#ifdef __cplusplus
}
#endif
#endif
