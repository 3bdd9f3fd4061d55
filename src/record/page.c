/* SPDX-License-Identifier: Apache-2.0
 * page.c: head and style of the report. Colours are variables with a second set for dark screens and a plain one for print; c0..c7
 * stroke, b0..b7 fill. The palette is Okabe and Ito's, told apart also by the colour-blind. */
#include "record/page.h"

static const char style_colours[] =
    ":root{color-scheme:light dark;--page:#fff;--ink:#1d2329;--faint:#5c6670;--rule:#d9dee3;--soft:#f5f7f9;--shadow:#8b949d;--warn:#8a5a00;"
    "--warn-soft:#fff6e0;--bad:#b3261e;--good:#19734a;"
    "--k0:#0072b2;--k1:#d55e00;--k2:#009e73;--k3:#9b4f96;--k4:#a67c00;--k5:#3f4a54;--k6:#56b4e9;--k7:#c44569}\n"
    "@media (prefers-color-scheme:dark){:root{--page:#14181c;--ink:#e4e8eb;--faint:#9aa5af;--rule:#363d45;--soft:#1c2127;--shadow:#5a646e;"
    "--warn:#f0c060;--warn-soft:#2e2714;--bad:#ff8a80;--good:#6fd6a6;"
    "--k0:#56b4e9;--k1:#ff9248;--k2:#3ecf9f;--k3:#d79bd2;--k4:#e3c04f;--k5:#c3ccd4;--k6:#8fd0ff;--k7:#ff8fa8}}\n"
    ".c0{stroke:var(--k0)}.c1{stroke:var(--k1)}.c2{stroke:var(--k2)}.c3{stroke:var(--k3)}.c4{stroke:var(--k4)}.c5{stroke:var(--k5)}"
    ".c6{stroke:var(--k6)}.c7{stroke:var(--k7)}\n"
    ".b0{background:var(--k0)}.b1{background:var(--k1)}.b2{background:var(--k2)}.b3{background:var(--k3)}.b4{background:var(--k4)}"
    ".b5{background:var(--k5)}.b6{background:var(--k6)}.b7{background:var(--k7)}\n"
    ".d0{fill:var(--k0)}.d1{fill:var(--k1)}.d2{fill:var(--k2)}.d3{fill:var(--k3)}.d4{fill:var(--k4)}.d5{fill:var(--k5)}"
    ".d6{fill:var(--k6)}.d7{fill:var(--k7)}\n";

static const char style_page[] =
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}\n"
    "main{max-width:74rem;margin:0 auto;padding:1.5rem 1.25rem 3rem}\n"
    "h1{font-size:1.7rem;line-height:1.25;margin:0 0 .25rem;overflow-wrap:anywhere}\n"
    "h2{font-size:1.15rem;margin:2.2rem 0 .6rem;padding-bottom:.25rem;border-bottom:1px solid var(--rule)}\n"
    ".lead{color:var(--faint);margin:0;overflow-wrap:anywhere}.good{color:var(--good);font-weight:600}.bad{color:var(--bad);font-weight:600}\n"
    ".tables{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,25rem),1fr));gap:0 2.5rem}\n"
    ".about{max-width:60rem;margin:.7rem 0 0}.what{font-size:1.05rem;max-width:60rem;margin:.7rem 0}a.go{display:inline-block;background:var(--k0);color:var(--page);text-decoration:none;border-radius:6px;padding:.3rem .8rem;font-weight:600}\n"
    ".facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,15rem),1fr));gap:.6rem;margin:1rem 0 0}.facts div{background:var(--soft);border:1px solid var(--rule);border-radius:8px;padding:.5rem .8rem}\n"
    ".facts dt{color:var(--faint);font-size:.85rem}.facts dd{margin:0;overflow-wrap:anywhere}\n"
    ".scroll{overflow-x:auto}\n"
    "table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}\n"
    "th,td{text-align:left;vertical-align:top;padding:.3rem .9rem .3rem 0;border-bottom:1px solid var(--rule)}\n"
    "th{font-weight:400;color:var(--faint)}thead th{font-size:.85rem}td.n{white-space:nowrap}\n"
    ".warning{background:var(--warn-soft);border-left:4px solid var(--warn);padding:.5rem .9rem;margin:.8rem 0;overflow-wrap:anywhere}\n"
    ".figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,25rem),1fr));gap:1.4rem 2rem}\n"
    "figure{margin:0;min-width:0}figcaption{font-weight:600;overflow-wrap:anywhere}\n"
    ".legend{margin:.1rem 0 .3rem;font-size:.88rem;color:var(--faint);display:flex;flex-wrap:wrap;gap:.1rem .95rem}\n"
    ".legend i{display:inline-block;width:1.15em;height:.26em;border-radius:2px;margin-right:.4em;vertical-align:.22em}\n"
    "pre{background:var(--soft);border:1px solid var(--rule);border-radius:6px;padding:.8rem 1rem;overflow-x:auto;font-size:.85rem;line-height:1.45}\n"
    "summary{cursor:pointer}a{color:var(--k0)}footer{margin-top:2.5rem;color:var(--faint);font-size:.88rem}\n";

static const char style_pictures[] =
    "svg{display:block;width:100%;height:auto;max-width:42rem;font:13px system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}\n"
    ".large{grid-column:1/-1}.large svg{max-width:60rem}@media (max-width:34rem){.large svg{font-size:21px}}\n"
    ".curve,.rod,.shadow{fill:none;stroke-linejoin:round;stroke-linecap:round}.curve{stroke-width:1.6}.dash{stroke-dasharray:5 4}.shadow{stroke:var(--shadow)}\n"
    ".solid{fill:var(--rule);fill-rule:evenodd}.patch,.facet{fill-opacity:.35;stroke:var(--shadow);stroke-width:.6}.edge{fill:none;stroke-linejoin:round}"
    ".wall{stroke:var(--faint)}.body{fill:var(--page);fill-opacity:.8;stroke-linejoin:round}.body.wall{fill:var(--rule);fill-opacity:.7}\n"
    ".hit{fill:none;stroke:var(--bad);stroke-width:1}\n"
    "line.grid{stroke:var(--rule);stroke-width:1}line.zero{stroke:var(--faint);stroke-width:.8}\n"
    ".mark,.axis{stroke:var(--faint);stroke-width:1.2}.arrow{fill:var(--faint)}.tick,.note{fill:var(--faint)}\n"
    "@media print{:root{--page:#fff;--ink:#000}main{max-width:none;padding:0}figure{break-inside:avoid}}\n";

void zw_page_begin(zw_text *t, const char *title) {
    zw_text_add(t, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n<title>");
    zw_text_html(t, title);
    zw_text_add(t, "</title>\n<style>\n");
    zw_text_add(t, style_colours);
    zw_text_add(t, style_page);
    zw_text_add(t, style_pictures);
    zw_text_add(t, "</style>\n</head>\n<body>\n<main>\n");
}

void zw_page_end(zw_text *t) {
    zw_text_add(t, "</main>\n</body>\n</html>\n");
}
