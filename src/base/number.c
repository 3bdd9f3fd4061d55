/* SPDX-License-Identifier: Apache-2.0
 * number.c: decimal text to double and back, exact, and the same in every locale.
 *
 * Reading: D*10^e is exact in one operation when D <= 2^53 and |e| <= 22 (Clinger 1990, doi:10.1145/93548.93557).
 * Otherwise the quotient N/M of big integers is formed bit by bit to 53 bits (fewer for subnormals), and its remainder
 * decides the rounding, half to even. A double is told apart by at most 768 digits: more only count as "something follows".
 *
 * Writing: the shortest digits inside the interval that reads back, by the free-format algorithm of Steele and White 1990
 * (doi:10.1145/93548.93559) with Dragon4's scaling: v = R/S * 10^k, half the gaps to the neighbours are low/S and high/S;
 * digits come from R*10/S until what is left is inside a gap. A fixed number of digits is the same without gaps, half to even. */
#include "base/number.h"

#include <float.h>
#include <string.h>

_Static_assert(DBL_MANT_DIG == 53 && DBL_MAX_EXP == 1024, "IEEE 754 binary64");

enum { LIMBS = 256, DIGITS_READ = 780, DIGITS_TEXT = 17, EXPONENT_LEAST = -1074 };

/* ---- natural numbers, little-endian limbs, no leading zero limb; 8192 bits hold everything below ---- */

typedef struct natural {
    int      n;
    uint32_t limb[LIMBS];
} natural;

static void natural_set(natural *a, uint64_t value) {
    a->n = 0;
    for (; value; value >>= 32) {
        a->limb[a->n++] = (uint32_t)value;
    }
}

static void natural_copy(natural *a, const natural *b) {
    a->n = b->n;
    memcpy(a->limb, b->limb, (size_t)b->n * sizeof b->limb[0]);
}

/* a = a*factor + plus */
static void natural_scale(natural *a, uint32_t factor, uint32_t plus) {
    uint64_t carry = plus;
    for (int i = 0; i < a->n; i++) {
        carry += (uint64_t)a->limb[i] * factor;
        a->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry) {
        a->limb[a->n++] = (uint32_t)carry;
    }
}

static void natural_scale_5(natural *a, int power) {
    for (; power >= 13; power -= 13) {
        natural_scale(a, 1220703125u, 0); /* 5^13 */
    }
    uint32_t rest = 1;
    for (; power > 0; power--) {
        rest *= 5;
    }
    natural_scale(a, rest, 0);
}

static void natural_shift(natural *a, int bits) {
    if (a->n == 0 || bits == 0) {
        return;
    }
    int whole = bits / 32, part = bits % 32, n = a->n;
    a->limb[n] = 0;
    for (int i = n; i >= 0; i--) {
        uint64_t two = (uint64_t)a->limb[i] << 32 | (i > 0 ? a->limb[i - 1] : 0u);
        a->limb[i + whole] = (uint32_t)(two >> (32 - part));
    }
    for (int i = 0; i < whole; i++) {
        a->limb[i] = 0;
    }
    a->n = n + whole + (a->limb[n + whole] ? 1 : 0);
}

static int natural_bits(const natural *a) {
    int bits = 32 * a->n;
    if (a->n > 0) {
        for (uint32_t top = a->limb[a->n - 1]; !(top & 0x80000000u); top <<= 1) {
            bits--;
        }
    }
    return bits;
}

static int natural_compare(const natural *a, const natural *b) {
    if (a->n != b->n) {
        return a->n < b->n ? -1 : 1;
    }
    for (int i = a->n - 1; i >= 0; i--) {
        if (a->limb[i] != b->limb[i]) {
            return a->limb[i] < b->limb[i] ? -1 : 1;
        }
    }
    return 0;
}

/* a -= factor*b, which must not be negative */
static void natural_subtract(natural *a, const natural *b, uint32_t factor) {
    uint64_t carry = 0, borrow = 0;
    for (int i = 0; i < a->n; i++) {
        carry += (uint64_t)(i < b->n ? b->limb[i] : 0u) * factor;
        uint64_t d = (uint64_t)a->limb[i] - (uint32_t)carry - borrow;
        a->limb[i] = (uint32_t)d;
        borrow = d >> 63;
        carry >>= 32;
    }
    while (a->n > 0 && a->limb[a->n - 1] == 0) {
        a->n--;
    }
}

/* how a + b compares with c */
static int natural_compare_sum(const natural *a, const natural *b, const natural *c) {
    natural sum;
    int     n = a->n > b->n ? a->n : b->n;
    if (n + 1 < c->n) {
        return -1;
    }
    uint64_t carry = 0;
    for (int i = 0; i < n; i++) {
        carry += (uint64_t)(i < a->n ? a->limb[i] : 0u) + (i < b->n ? b->limb[i] : 0u);
        sum.limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry) {
        sum.limb[n++] = (uint32_t)carry;
    }
    sum.n = n;
    return natural_compare(&sum, c);
}

/* ---- reading ---- */

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static double double_from_bits(uint64_t bits) {
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

/* the double nearest to digits * 10^e; digits has no leading zero, `follows` says that nonzero digits were left off */
static double read_exactly(const char *digit, int n_digits, bool follows, int e) {
    natural num, den;
    natural_set(&num, 0);
    for (int i = 0; i < n_digits;) {
        uint32_t part = 0, power = 1;
        for (; i < n_digits && power < 1000000000u; i++) {
            part = 10 * part + (uint32_t)(digit[i] - '0');
            power *= 10;
        }
        natural_scale(&num, power, part);
    }
    if (follows) {
        natural_scale(&num, 10, 1); /* any nonzero tail rounds the same way */
        e--;
    }
    natural_set(&den, 1);
    natural_scale_5(e < 0 ? &den : &num, e < 0 ? -e : e);

    /* value = num/den * 2^e; 2^b <= num/den < 2^(b+1) */
    int     b = natural_bits(&num) - natural_bits(&den);
    natural shifted;
    natural_copy(&shifted, b < 0 ? &num : &den);
    natural_shift(&shifted, b < 0 ? -b : b);
    if (b < 0 ? natural_compare(&shifted, &den) < 0 : natural_compare(&num, &shifted) < 0) {
        b--;
    }

    /* value = q * 2^unit with q of 53 bits, or fewer where doubles thin out */
    int unit = b + e - 52;
    unit = unit < EXPONENT_LEAST ? EXPONENT_LEAST : unit;
    int n_bits = b + e - unit + 1;
    n_bits = n_bits < 0 ? 0 : n_bits;
    int shift = e - unit - (n_bits > 0 ? n_bits - 1 : 0);
    natural_shift(shift < 0 ? &den : &num, shift < 0 ? -shift : shift);
    uint64_t q = 0;
    for (int i = 0; i < n_bits; i++) {
        q <<= 1;
        if (natural_compare(&num, &den) >= 0) {
            natural_subtract(&num, &den, 1);
            q |= 1;
        }
        natural_shift(&num, 1);
    }
    if (n_bits == 0) {
        natural_shift(&num, 1);
    }
    int rest = natural_compare(&num, &den); /* twice the remainder against one unit */
    if (rest > 0 || (rest == 0 && (q & 1))) {
        q++;
    }
    if (q >> 53) {
        q >>= 1;
        unit++;
    }
    if (!(q >> 52)) {
        return double_from_bits(q); /* subnormal or zero */
    }
    int biased = unit - EXPONENT_LEAST + 1;
    biased = biased > 2047 ? 2047 : biased;
    return double_from_bits((uint64_t)biased << 52 | (biased < 2047 ? q & 0xFFFFFFFFFFFFFu : 0));
}

double zw_number_read(const char *text, size_t n, size_t *used) {
    static const double power_10[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    char                digit[DIGITS_READ];
    int                 n_digits = 0;
    bool                any = false, dot = false, follows = false;
    int64_t             e = 0;
    uint64_t            small = 0; /* the digits as an integer while there are at most 19 */
    size_t              i = 0;
    for (; i < n; i++) {
        if (text[i] == '.' && !dot) {
            dot = true;
            continue;
        }
        if (!is_digit(text[i])) {
            break;
        }
        any = true;
        e -= dot ? 1 : 0;
        if (n_digits == 0 && text[i] == '0') {
            continue;
        }
        if (n_digits < DIGITS_READ) {
            small = n_digits < 19 ? 10 * small + (uint64_t)(text[i] - '0') : small;
            digit[n_digits++] = text[i];
        } else {
            follows = follows || text[i] != '0';
            e++;
        }
    }
    if (!any) {
        *used = 0;
        return 0.0;
    }
    if (i < n && (text[i] == 'e' || text[i] == 'E')) {
        size_t j = i + 1;
        bool   minus = j < n && text[j] == '-';
        j += j < n && (text[j] == '-' || text[j] == '+') ? 1 : 0;
        if (j < n && is_digit(text[j])) {
            int64_t written = 0;
            for (; j < n && is_digit(text[j]); j++) {
                written = written < INT64_MAX / 40 ? 10 * written + (text[j] - '0') : written;
            }
            e += minus ? -written : written;
            i = j;
        }
    }
    *used = i;
    while (n_digits > 0 && !follows && digit[n_digits - 1] == '0') {
        n_digits--;
        e++;
        small = n_digits < 19 ? small / 10 : small;
    }
    if (n_digits == 0 || e + n_digits < -330) {
        return 0.0;
    }
    if (e + n_digits > 320) {
        return double_from_bits(0x7FF0000000000000u);
    }
#if FLT_EVAL_METHOD == 0
    if (n_digits <= 19 && small <= (uint64_t)1 << 53 && e >= -22 && e <= 22) {
        return e < 0 ? (double)small / power_10[-e] : (double)small * power_10[e];
    }
#else
    (void)power_10;
    (void)small;
#endif
    return read_exactly(digit, n_digits, follows, (int)e);
}

bool zw_number_parse(const char *text, double *value) {
    bool        minus = text[0] == '-';
    const char *body = text + (text[0] == '-' || text[0] == '+' ? 1 : 0);
    size_t      n = strlen(body), used;
    double      v = zw_number_read(body, n, &used);
    if (used == 0 || used != n || v > DBL_MAX) {
        return false;
    }
    *value = minus ? -v : v;
    return true;
}

bool zw_integer_parse(const char *text, int64_t *value) {
    bool        minus = text[0] == '-';
    const char *p = text + (text[0] == '-' || text[0] == '+' ? 1 : 0);
    uint64_t    limit = (uint64_t)INT64_MAX + (minus ? 1 : 0), v = 0;
    if (!is_digit(*p)) {
        return false;
    }
    for (; is_digit(*p); p++) {
        uint64_t d = (uint64_t)(*p - '0');
        if (v > (limit - d) / 10) {
            return false;
        }
        v = 10 * v + d;
    }
    if (*p) {
        return false;
    }
    *value = minus ? (v > 0 ? -(int64_t)(v - 1) - 1 : 0) : (int64_t)v;
    return true;
}

/* ---- writing ---- */

typedef struct decimal { /* 0.d1d2d3... * 10^k */
    char digit[DIGITS_TEXT + 1];
    int  n, k;
} decimal;

/* adds one to the last digit */
static void decimal_bump(decimal *d) {
    int i = d->n - 1;
    while (i >= 0 && d->digit[i] == '9') {
        i--;
    }
    if (i < 0) {
        d->digit[0] = '1';
        d->n = 1;
        d->k++;
    } else {
        d->digit[i]++;
        d->n = i + 1; /* the nines behind it became zeros */
    }
}

/* the quotient r/s < 10, leaving the remainder in r; needs s with a top limb in [8, 429496729], so that the guess is at most one short */
static int take_digit(natural *r, const natural *s) {
    if (r->n < s->n) {
        return 0;
    }
    uint32_t q = r->limb[s->n - 1] / (s->limb[s->n - 1] + 1);
    if (q > 0) {
        natural_subtract(r, s, q);
    }
    if (natural_compare(r, s) >= 0) {
        natural_subtract(r, s, 1);
        q++;
    }
    return (int)q;
}

/* m * 2^e to the shortest digits that read back (digits = 0) or to that many; m > 0 */
static void decimal_make(decimal *d, uint64_t m, int e, int digits) {
    bool    even = (m & 1) == 0, wide = m == (uint64_t)1 << 52 && e > EXPONENT_LEAST; /* the gap below is half the one above */
    natural r, s, low, high;
    natural_set(&r, m);
    int bits = natural_bits(&r);
    natural_set(&s, 1);
    natural_set(&low, 1);

    /* k = ceil(log10 v) or one less, from 2^(bits-1) <= m; log10(2) = 0.30102999566398119521... */
    double guess = (double)(e + bits - 1) * 0.30102999566398120 - 1e-10;
    int    k = (int)guess;
    k += guess > (double)k ? 1 : 0;

    natural_scale_5(k < 0 ? &r : &s, k < 0 ? -k : k);
    if (k < 0) {
        natural_scale_5(&low, -k);
    }
    /* r/s = m * 2^(e-k) / 5^k, both with one more factor 2 (4 when wide) so that the half gaps are integers */
    int up_r = 1 + (wide ? 1 : 0) + (e - k > 0 ? e - k : 0), up_s = 1 + (wide ? 1 : 0) + (e - k < 0 ? k - e : 0);
    int up_low = e - k > 0 ? e - k : 0;
    /* the top limb of s into [2^27, 2^28) for take_digit */
    int top = (natural_bits(&s) + up_s) % 32, spare = (28 - top + 32) % 32;
    natural_shift(&r, up_r + spare);
    natural_shift(&s, up_s + spare);
    natural_shift(&low, up_low + spare);
    natural_copy(&high, &low);
    natural_shift(&high, wide ? 1 : 0);

    int at_top = digits > 0 ? natural_compare(&r, &s) : natural_compare_sum(&r, &high, &s);
    if (at_top > 0 || (at_top == 0 && (even || digits > 0))) {
        k++; /* the guess was one short: instead of s*10, the first digit comes without r*10 */
    } else {
        natural_scale(&r, 10, 0);
        natural_scale(&low, 10, 0);
        natural_scale(&high, 10, 0);
    }
    d->k = k;
    d->n = 0;
    for (;;) {
        int q = take_digit(&r, &s);
        d->digit[d->n++] = (char)('0' + q);
        bool down = false, up = false;
        if (digits == 0) {
            int below = natural_compare(&r, &low), above = natural_compare_sum(&r, &high, &s);
            down = below < 0 || (below == 0 && even);
            up = above > 0 || (above == 0 && even);
        }
        if (down || up || d->n == (digits > 0 ? digits : DIGITS_TEXT) || r.n == 0) {
            int half = natural_compare_sum(&r, &r, &s);
            if (down != up ? up : half > 0 || (half == 0 && (q & 1))) {
                decimal_bump(d);
            }
            break;
        }
        natural_scale(&r, 10, 0);
        natural_scale(&low, 10, 0);
        natural_scale(&high, 10, 0);
    }
    while (d->n > 1 && d->digit[d->n - 1] == '0') {
        d->n--;
    }
}

/* plain for 1e-4 <= |v| < 1e16, with an exponent otherwise */
static char *decimal_put(const decimal *d, char *out) {
    int x = d->k - 1; /* of the first digit */
    if (x < -4 || x >= 16) {
        *out++ = d->digit[0];
        if (d->n > 1) {
            *out++ = '.';
            memcpy(out, d->digit + 1, (size_t)d->n - 1);
            out += d->n - 1;
        }
        *out++ = 'e';
        if (x < 0) {
            *out++ = '-';
            x = -x;
        }
        for (int p = x >= 100 ? 100 : x >= 10 ? 10 : 1; p > 0; p /= 10) {
            *out++ = (char)('0' + x / p % 10);
        }
        return out;
    }
    if (x < 0) {
        *out++ = '0';
        *out++ = '.';
        for (int i = -1; i > x; i--) {
            *out++ = '0';
        }
    }
    for (int i = 0; i < d->n || i <= x; i++) {
        if (i == x + 1 && x >= 0) {
            *out++ = '.';
        }
        *out++ = i < d->n ? d->digit[i] : '0';
    }
    return out;
}

static const char *number_put(double value, int digits, char out[ZW_NUMBER_TEXT]) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t m = bits & 0xFFFFFFFFFFFFFu;
    int      biased = (int)(bits >> 52 & 0x7FF);
    char    *p = out;
    if (biased == 2047 && m != 0) {
        memcpy(out, "nan", 4);
        return out;
    }
    if (bits >> 63) {
        *p++ = '-';
    }
    if (biased == 2047) {
        memcpy(p, "inf", 4);
    } else if (biased == 0 && m == 0) {
        memcpy(p, "0", 2);
    } else {
        decimal d;
        decimal_make(&d, biased ? m | (uint64_t)1 << 52 : m, (biased ? biased : 1) - 1075, digits);
        *decimal_put(&d, p) = 0;
    }
    return out;
}

const char *zw_number_text(double value, char out[ZW_NUMBER_TEXT]) {
    return number_put(value, 0, out);
}

const char *zw_number_short(double value, int digits, char out[ZW_NUMBER_TEXT]) {
    return number_put(value, digits < 1 ? 1 : digits > DIGITS_TEXT ? DIGITS_TEXT : digits, out);
}
