/* SPDX-License-Identifier: Apache-2.0
 * model.h: the model file, read and checked. A model is constant once made; systems are built from it. */
#ifndef ZWANG_MODEL_H
#define ZWANG_MODEL_H

#include "zwang/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zw_model zw_model;

/* sets[i] is "key.path=value" or "parameter=value", as after --set; all errors of the file are raised in one pass */
ZW_API zw_status   zw_model_load(zw_context *c, const char *path, int nsets, const char *const *sets, zw_model **out); /* from a file */
ZW_API zw_status   zw_model_parse(zw_context *c, const char *name, const char *text, size_t size, int nsets, const char *const *sets,
                                  zw_model **out);                /* from memory; name stands in messages       */
ZW_API void        zw_model_destroy(zw_model *m);                 /* NULL is legal                              */
ZW_API const char *zw_model_title(const zw_model *m);             /* title of the model, or ""                  */
ZW_API const char *zw_model_text(const zw_model *m);              /* the model as run: YAML with the sets applied */
ZW_API uint64_t    zw_model_hash(const zw_model *m);              /* identity of that text                      */
ZW_API zw_status   zw_schema_json(zw_context *c, char **out);     /* JSON Schema of the model file; zw_string_free */
ZW_API zw_status   zw_schema_markdown(zw_context *c, char **out); /* docs/model.md; zw_string_free              */
ZW_API void        zw_string_free(zw_context *c, char *s);        /* frees a text the library handed out        */

#ifdef __cplusplus
}
#endif
#endif
