/* SPDX-License-Identifier: Apache-2.0
 * base.h: version, status codes, the error object and the context that every create takes first.
 *
 * The library never prints, never exits, never aborts: whatever goes wrong becomes a status (what kind) and one
 * or more errors in the context (subject, what is wrong with its number, remedy, and file:line:col where there is a file).
 * A context belongs to one thread at a time; two contexts share nothing. */
#ifndef ZWANG_BASE_H
#define ZWANG_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define ZW_API                __attribute__((visibility("default")))
#define ZW_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#define ZW_MUST_USE           __attribute__((warn_unused_result))
#else
#define ZW_API
#define ZW_PRINTF(fmt, first)
#define ZW_MUST_USE
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define ZW_VERSION_MAJOR 0
#define ZW_VERSION_MINOR 1
#define ZW_VERSION_PATCH 0
#define ZW_VERSION       "0.1.0"

/* code, process exit code that the program gives for it, sentence */
#define ZW_STATUS_LIST(X)                                                              \
    X(OK, 0, "no error")                                                               \
    X(E_ARG, 1, "a function was called with an argument it cannot take")               \
    X(E_MODEL, 2, "the model is invalid")                                              \
    X(E_MEMORY, 1, "memory ran out")                                                   \
    X(E_LIMIT, 2, "a size limit was exceeded")                                         \
    X(E_DIVERGED, 1, "the simulation produced a value that is not finite")             \
    X(E_CONVERGENCE, 1, "an iteration did not converge")                               \
    X(E_RANK, 1, "constraints contradict each other")                                  \
    X(E_STEP, 2, "the time step is beyond the stability limit")                        \
    X(E_UNSUPPORTED, 2, "the model asks for something this version does not have")     \
    X(E_IO, 74, "reading or writing failed")                                           \
    X(E_NO_INPUT, 66, "an input file or directory is missing")                         \
    X(E_FORMAT, 74, "a file is damaged or of another format")                          \
    X(E_EXISTS, 74, "the output directory holds results already")                      \
    X(E_BUSY, 74, "the output directory is in use by another run")                     \
    X(E_MISMATCH, 2, "the results belong to another model, program version or format") \
    X(E_CANCELLED, 130, "the run was interrupted")                                     \
    X(E_INTERNAL, 1, "zwang has a defect; please report it")

typedef enum zw_status {
#define ZW_STATUS_ENUM(name, exit_code, sentence) ZW_##name,
    ZW_STATUS_LIST(ZW_STATUS_ENUM)
#undef ZW_STATUS_ENUM
} zw_status;

ZW_API const char *zw_version(void);                    /* "0.1.0" of the library that is linked                    */
ZW_API const char *zw_status_name(zw_status code);      /* "ZW_E_MODEL"                                             */
ZW_API const char *zw_status_sentence(zw_status code);  /* one plain sentence                                       */
ZW_API int         zw_status_exit_code(zw_status code); /* what the program returns for it                          */

/* one thing that is wrong; texts are cut with "..." when longer than the field */
typedef struct zw_error {
    zw_status   code;
    char        subject[128]; /* what it is about: "bodies.beam.rod.length", "joint 'elbow'", "element 17 of rod 'beam'"   */
    char        message[400]; /* what is wrong, with the number                                                             */
    char        remedy[300];  /* what to do about it; may be empty                                                          */
    char        file[256];    /* model or results file; empty when there is none                                            */
    int         line, col;    /* 1-based; 0 when unknown                                                                    */
    char        excerpt[200]; /* the source line, for showing it with a caret under col; may be empty                       */
    const char *where;        /* C function that raised it                                                                  */
} zw_error;

typedef enum zw_log_level { ZW_LOG_DEBUG, ZW_LOG_INFO, ZW_LOG_WARNING } zw_log_level;

typedef void *(*zw_realloc_fn)(void *user, void *p, size_t size); /* size 0 frees; NULL on failure                    */
typedef void (*zw_log_fn)(void *user, zw_log_level level, const char *text);

typedef struct zw_context_def {
    size_t        size;    /* sizeof(zw_context_def) of the caller                                                    */
    zw_realloc_fn realloc; /* NULL: the C library's                                                                   */
    void         *realloc_user;
    zw_log_fn     log; /* NULL: silent                                                                                */
    void         *log_user;
    int           threads; /* 0: one                                                                                  */
} zw_context_def;

typedef struct zw_context zw_context;

ZW_API zw_context_def  zw_context_def_default(void);                                   /* C allocator, silent, one thread */
ZW_API zw_status       zw_context_create(const zw_context_def *def, zw_context **out); /* def may be NULL for the default */
ZW_API void            zw_context_destroy(zw_context *c);                              /* NULL is legal                    */
ZW_API void            zw_context_cancel(zw_context *c);          /* ask a run to stop; safe from signals and other threads */
ZW_API bool            zw_context_cancelled(const zw_context *c); /* true after zw_context_cancel                           */
ZW_API int             zw_context_threads(const zw_context *c);   /* how many threads the work may use                      */
ZW_API int             zw_error_count(const zw_context *c);       /* errors raised since the last clear                     */
ZW_API const zw_error *zw_error_at(const zw_context *c, int i);   /* the i-th of them, oldest first; NULL outside       */
ZW_API void            zw_error_clear(zw_context *c);             /* forget them                                            */
ZW_API size_t          zw_error_format(const zw_error *e, char *out, size_t size); /* "file:line:col: subject: message; remedy" */

#ifdef __cplusplus
}
#endif
#endif
