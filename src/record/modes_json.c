/* SPDX-License-Identifier: Apache-2.0
 * modes_json.c: the JSON object that says what small motions a model has: DIR/summary.json and `zwang modes --json`. */
#include "record/modes_json.h"

#include "model/model.h"

#include <math.h>

static void number(zw_text *t, const char *key, double value) {
    zw_text_addf(t, ", \"%s\": ", key);
    zw_text_json_number(t, value);
}

static void critical_json(zw_text *t, const zw_modes_critical *c) {
    if (!c->sought) {
        zw_text_add(t, "null");
        return;
    }
    zw_text_add(t, "{\"parameter\": ");
    zw_text_json_string(t, c->parameter);
    number(t, "from", c->from);
    number(t, "to", c->to);
    zw_text_add(t, ", \"value\": ");
    if (c->found) {
        zw_text_json_number(t, c->value);
        zw_text_addf(t, ", \"kind\": \"%s\"", zw_stability_name(c->kind));
        number(t, "frequency", c->frequency);
    } else {
        zw_text_addf(t, "null, \"kind\": %s, \"frequency\": null", c->unstable_at_from ? "\"unstable at from\"" : "null");
    }
    zw_text_add(t, "}");
}

zw_status zw_modes_json(const zw_model *m, const zw_modes *s, const char *file, double wall_s, int nwarnings, const char *const *warnings,
                        zw_text *t) {
    zw_modes_summary sum;
    zw_modes_read(s, &sum);
    zw_text_add(t, "{\"version\": ");
    zw_text_json_string(t, zw_version());
    zw_text_add(t, ", \"model\": {\"title\": ");
    zw_text_json_string(t, zw_model_title(m));
    zw_text_add(t, ", \"file\": ");
    zw_text_json_string(t, file);
    zw_text_addf(t, ", \"hash\": \"%016llx\"}, \"outcome\": \"reached\", \"analysis\": \"modes\"", (unsigned long long)zw_model_hash(m));
    number(t, "wall_s", wall_s);
    zw_text_addf(t, ", \"about\": \"%s\", \"damped\": %s, \"columns\": %d, \"rows\": %d, \"solver\": \"%s\"",
                 zw_modes_about_name(sum.about), sum.damped ? "true" : "false", sum.columns, sum.rows, sum.large ? "arpack" : "lapack");
    zw_text_add(t, ", \"unbalanced\": {\"largest\": ");
    zw_text_json_number(t, sum.left);
    number(t, "scale", sum.scale);
    zw_text_addf(t, "}, \"free\": %d, \"verdict\": \"%s\"", sum.free, zw_stability_name(sum.verdict));
    zw_text_add(t, ", \"modes\": [");
    for (int i = 0; i < sum.count; i++) {
        zw_mode mode = zw_modes_at(s, i);
        zw_text_add(t, i > 0 ? ", {\"frequency\": " : "{\"frequency\": ");
        zw_text_json_number(t, mode.frequency);
        number(t, "growth", mode.growth);
        zw_text_add(t, "}");
    }
    zw_text_add(t, "], \"critical\": ");
    critical_json(t, &sum.critical);
    zw_text_add(t, ", \"warnings\": [");
    for (int i = 0; i < nwarnings; i++) {
        zw_text_add(t, i > 0 ? ", " : "");
        zw_text_json_string(t, warnings[i]);
    }
    zw_text_add(t, "]}\n");
    return zw_text_status(t);
}
