/* SPDX-License-Identifier: Apache-2.0
 * yaml_scan.c: what is checked before libyaml sees a text: its size, that it is UTF-8 without control characters, and that brackets
 * do not nest deeper than 64 (libyaml's time grows with the square of the depth: 200 000 brackets would hang it). */
#include "model/yaml.h"

#include <string.h>

/* length of the UTF-8 sequence at p, 0 when it is not one (overlong forms and surrogates are not) */
static size_t utf8_length(const unsigned char *p, size_t left, uint32_t *code) {
    size_t   n = p[0] < 0x80 ? 1 : p[0] >= 0xC2 && p[0] < 0xE0 ? 2 : p[0] >= 0xE0 && p[0] < 0xF0 ? 3 : p[0] >= 0xF0 && p[0] < 0xF5 ? 4 : 0;
    uint32_t c = n == 1 ? p[0] : n == 2 ? p[0] & 0x1Fu : n == 3 ? p[0] & 0x0Fu : p[0] & 0x07u;
    if (n == 0 || n > left) {
        return 0;
    }
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xC0) != 0x80) {
            return 0;
        }
        c = (c << 6) | (p[i] & 0x3Fu);
    }
    if ((n == 3 && c < 0x800) || (n == 4 && c < 0x10000) || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) {
        return 0;
    }
    *code = c;
    return n;
}

static bool readable(uint32_t c) { /* what YAML lets stand in a text */
    return c == 0x09 || c == 0x0A || c == 0x0D || (c >= 0x20 && c <= 0x7E) || c == 0x85 || (c >= 0xA0 && c <= 0xFFFD && c != 0xFEFF) ||
           c >= 0x10000;
}

static bool scan_encoding(zw_issues *issues, const zw_source *source) {
    const unsigned char *p = (const unsigned char *)source->text, *end = p + source->size;
    zw_where             at = {1, 1};
    if (source->size >= 2 && ((p[0] == 0xFF && p[1] == 0xFE) || (p[0] == 0xFE && p[1] == 0xFF))) {
        zw_issue_add(issues, ZW_E_MODEL, source, zw_nowhere(), "", "save it as UTF-8", "the file is UTF-16 text");
        return false;
    }
    if (source->size >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0) {
        p += 3; /* the mark some editors put in front of UTF-8 */
    }
    while (p < end) {
        uint32_t c = 0;
        size_t   n = utf8_length(p, (size_t)(end - p), &c);
        if (n == 0) {
            zw_issue_add(issues, ZW_E_MODEL, source, at, "", "save the file as UTF-8", "byte 0x%02X is not UTF-8 text", p[0]);
            return false;
        }
        if (c == 0) {
            zw_issue_add(issues, ZW_E_MODEL, source, at, "", "this may not be a text file", "the file holds a NUL byte");
            return false;
        }
        if (!readable(c)) {
            zw_issue_add(issues, ZW_E_MODEL, source, at, "", "remove it", "the control character U+%04X may not stand in a model file",
                         (unsigned)c);
            return false;
        }
        p += n;
        at.col++;
        if (c == '\n' || (c == '\r' && (p >= end || *p != '\n')) || c == 0x85 || c == 0x2028 || c == 0x2029) {
            at.line++;
            at.col = 1;
        }
    }
    return true;
}

/* does a line, without its comment, end in a block scalar's sign (| or > with indicators)? */
static bool opens_block(const char *line, const char *end) {
    while (end > line && (end[-1] == ' ' || end[-1] == '\t')) {
        end--;
    }
    while (end > line && (end[-1] == '+' || end[-1] == '-' || (end[-1] >= '1' && end[-1] <= '9'))) {
        end--;
    }
    return end - line >= 2 && (end[-1] == '|' || end[-1] == '>') && (end[-2] == ' ' || end[-2] == '\t');
}

/* brackets outside quotes, comments and block scalars; what this over-counts (brackets inside plain text) is harmless below the limit */
static bool scan_depth(zw_issues *issues, const zw_source *source) {
    const char *p = source->text, *end = p + source->size, *line = p;
    zw_where    at = {1, 1};
    int         depth = 0;
    char        quote = 0;
    long        block = -1; /* indentation of the line that opened a block scalar; its deeper lines are text */
    bool        skip = false;
    for (; p < end; p++) {
        char c = *p, before = p == line ? ' ' : p[-1];
        if (c == '\n') {
            if (!quote && !skip && depth == 0 && opens_block(line, p)) {
                block = 0;
                while (line[block] == ' ') {
                    block++;
                }
            }
            line = p + 1;
            at.line++;
            at.col = 1;
            skip = false;
            if (block >= 0) { /* blank lines belong to the block, a line that is not deeper ends it */
                long indent = 0;
                while (line + indent < end && line[indent] == ' ') {
                    indent++;
                }
                skip = line + indent < end && (line[indent] == '\n' || line[indent] == '\r' || indent > block);
                block = skip ? block : -1;
            }
            continue;
        }
        at.col += ((unsigned char)c & 0xC0) != 0x80;
        if (skip) {
            continue;
        }
        if (quote) {
            if (quote == '"' && c == '\\' && p + 1 < end && p[1] != '\n') {
                p++;
                at.col++;
            } else if (c == quote) {
                quote = 0;
            }
        } else if (c == '#' && (before == ' ' || before == '\t')) {
            skip = true;
        } else if ((c == '"' || c == '\'') && memchr(" \t[{,:-", before, 7)) {
            quote = c;
        } else if (c == '[' || c == '{') {
            if (++depth > ZW_YAML_DEPTH) {
                at.col--;
                zw_issue_add(issues, ZW_E_LIMIT, source, at, "", "a model needs fewer than ten", "brackets are nested more than %d deep",
                             ZW_YAML_DEPTH);
                return false;
            }
        } else if ((c == ']' || c == '}') && depth > 0) {
            depth--;
        }
    }
    return true;
}

bool zw_yaml_scan(zw_issues *issues, const zw_source *source) {
    if (source->size > ZW_YAML_BYTES) {
        zw_issue_add(issues, ZW_E_LIMIT, NULL, zw_nowhere(), source->name, "is it a model file?",
                     "the file has %zu MiB; a model file has at most %d MiB", source->size >> 20, ZW_YAML_BYTES >> 20);
        return false;
    }
    return scan_encoding(issues, source) && scan_depth(issues, source);
}
