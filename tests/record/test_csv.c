/* SPDX-License-Identifier: Apache-2.0
 * test_csv.c: the exported tables: their names, headers, rows, and numbers that read back as the same double. */
#define _DEFAULT_SOURCE
#include "scratch.h"

#include "base/number.h"
#include "zwang/results.h"

static char *export_and_load(scratch *s, const char *name) {
    char out[400], file[500];
    snprintf(out, sizeof out, "%s/csv/deep", s->path);
    zw_status status = zw_export_csv(s->context, s->path, out);
    if (status != ZW_OK) {
        print_error("%s\n", zw_error_at(s->context, 0)->message);
    }
    assert_int_equal(status, ZW_OK);
    snprintf(file, sizeof file, "csv/deep/%s", name);
    size_t n;
    char  *text = (char *)scratch_load(s, file, &n);
    text[n] = 0;
    return text;
}

/* the number at p, also nan and inf; *end behind it */
static double number_at(const char *p, const char **end) {
    char   text[64];
    size_t n = strcspn(p, ",\n");
    assert_true(n < sizeof text);
    memcpy(text, p, n);
    text[n] = 0;
    *end = p + n;
    double x = NAN;
    if (strcmp(text, "inf") == 0) {
        return INFINITY;
    }
    if (strcmp(text, "nan") == 0) {
        return x;
    }
    assert_true(zw_number_parse(text, &x));
    return x;
}

static bool same(double a, double b) {
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static void tables_of_frames_have_one_row_each(void **state) {
    scratch *s = *state;
    scratch_journal(s, 50, true);
    char       *text = export_and_load(s, "probes.csv");
    const char *p = text, *header = "time [s],tip.x [m],tip.y [m],tip.z [m]\n";
    assert_int_equal(strncmp(p, header, strlen(header)), 0);
    p += strlen(header);
    for (int i = 0; i < 50; i++) {
        double frame[SCRATCH_WIDTH];
        scratch_frame(i, frame);
        assert_true(same(number_at(p, &p), frame[0]));
        for (int k = 0; k < 3; k++) {
            assert_int_equal(*p++, ',');
            assert_true(same(number_at(p, &p), frame[s->channel[4].offset + (size_t)k]));
        }
        assert_int_equal(*p++, '\n');
    }
    assert_int_equal(*p, 0);
    free(text);
    text = export_and_load(s, "energy.csv"); /* a second export replaces the first */
    assert_int_equal(strncmp(text, "time [s],total [J]\n", 19), 0);
    free(text);
}

static void tables_of_nodes_and_links_have_one_row_per_frame_and_node(void **state) {
    scratch *s = *state;
    scratch_journal(s, 7, true);
    for (int links = 0; links < 2; links++) {
        char       *text = export_and_load(s, links ? "rod-beam-links.csv" : "rod-beam.csv");
        const char *p = text, *header = links ? "time [s],link,strain.d1 [1],strain.d2 [1],strain.d3 [1]\n"
                                              : "time [s],node,label [m],position.x [m],position.y [m],position.z [m]\n";
        assert_int_equal(strncmp(p, header, strlen(header)), 0);
        p += strlen(header);
        for (int i = 0; i < 7; i++) {
            double frame[SCRATCH_WIDTH];
            scratch_frame(i, frame);
            for (int node = 0; node < SCRATCH_NODES - links; node++) {
                assert_true(same(number_at(p, &p), frame[0]));
                p++;
                assert_true(same(number_at(p, &p), node));
                if (!links) {
                    p++;
                    assert_true(same(number_at(p, &p), s->constants[node]));
                }
                for (int k = 0; k < 3; k++) {
                    p++;
                    assert_true(same(number_at(p, &p), frame[s->channel[1 + links].offset + (size_t)(3 * node + k)]));
                }
                assert_int_equal(*p++, '\n');
            }
        }
        assert_int_equal(*p, 0);
        free(text);
    }
}

static void odd_names_become_clean_files_and_quoted_headers(void **state) {
    scratch *s = *state;
    snprintf(s->channel[1].name, sizeof s->channel[1].name, "rod/a b,\"c\"/position");
    snprintf(s->channel[2].name, sizeof s->channel[2].name, "rod/a b__c_/position"); /* the same once cleaned */
    snprintf(s->channel[4].name, sizeof s->channel[4].name, "probe/the, \"tip\"");
    s->layout.nconstants = 0;
    s->layout.constants_width = 0;
    scratch_journal(s, 2, true);
    char *text = export_and_load(s, "rod-a_b__c_.csv");
    assert_int_equal(strncmp(text, "time [s],node,position.x [m]", 28), 0);
    free(text);
    text = export_and_load(s, "rod-a_b__c_-2.csv");
    free(text);
    text = export_and_load(s, "probes.csv");
    assert_int_equal(strncmp(text, "time [s],\"the, \"\"tip\"\".x [m]\"", 29), 0);
    free(text);
}

static void a_new_epoch_with_other_columns_goes_to_a_file_of_its_own(void **state) {
    scratch           *s = *state;
    zw_journal_writer *w = scratch_create(s);
    assert_int_equal(zw_journal_epoch(w, &s->layout), ZW_OK);
    scratch_frames(s, w, 0, 2);
    zw_channel channel[3];
    size_t     width = 0;
    scratch_channel(&channel[0], "time", "s", 0, 0, 0, &width);
    scratch_channel(&channel[1], "energy/total", "J", 0, 0, 0, &width);
    scratch_channel(&channel[2], "probe/base", "m", 0, 0, 0, &width);
    zw_layout other = {3, 0, channel, NULL, width, 0, NULL};
    assert_int_equal(zw_journal_epoch(w, &other), ZW_OK);
    assert_int_equal(zw_journal_frame(w, (const double[]){0.5, 2.0, 3.0}, 3), ZW_OK);
    zw_journal_close(w);
    char *text = export_and_load(s, "probes-epoch1.csv");
    assert_string_equal(text, "time [s],base [m]\n0.5,3\n");
    free(text);
    text = export_and_load(s, "energy.csv"); /* the same columns: one file */
    assert_non_null(strstr(text, "\n0.5,2\n"));
    free(text);
}

static void place_that_cannot_be_written_is_said(void **state) {
    scratch *s = *state;
    scratch_journal(s, 2, true);
    char out[400];
    snprintf(out, sizeof out, "%s/%s", s->path, ZW_FILE_JOURNAL);
    assert_int_equal(zw_export_csv(s->context, s->path, out), ZW_E_IO);
    assert_non_null(strstr(zw_error_at(s->context, 0)->subject, ZW_FILE_JOURNAL));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_setup, scratch_teardown)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(tables_of_frames_have_one_row_each),
        TEST(tables_of_nodes_and_links_have_one_row_per_frame_and_node),
        TEST(odd_names_become_clean_files_and_quoted_headers),
        TEST(a_new_epoch_with_other_columns_goes_to_a_file_of_its_own),
        TEST(place_that_cannot_be_written_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
