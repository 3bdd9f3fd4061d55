/* SPDX-License-Identifier: Apache-2.0
 * A program of somebody else: it sees only the installed headers and the installed library. */
#include <stdio.h>
#include <string.h>
#include <zwang/base.h>

int main(void) {
    if (strcmp(zw_version(), ZW_VERSION) != 0) {
        fprintf(stderr, "header %s, library %s\n", ZW_VERSION, zw_version());
        return 1;
    }
    zw_context *context = NULL;
    zw_status   status = zw_context_create(NULL, &context);
    printf("zwang %s: %s\n", zw_version(), zw_status_sentence(status));
    zw_context_destroy(context);
    return status == ZW_OK ? 0 : 1;
}
