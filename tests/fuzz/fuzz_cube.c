/* Text of .cube files: what is read is a table that the stage lut takes, or a line that says why not. */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz_path.h"

#include "gpufilter/gpufilter.h"
#include "job/cube_file.h"

static void bind(const struct cube_file *cube)
{
    gf_error error = GF_ERROR_INIT;
    gf_pipeline *pipeline = NULL;
    gf_status status = gf_pipeline_parse("lut:@f.cube", NULL, 0, &pipeline, &error);
    FUZZ_CHECK(status == GF_OK, "%s", error.message);
    status = gf_pipeline_set_file(pipeline, 0, cube->rows, cube->columns, cube->values, &error);
    FUZZ_CHECK(status == GF_OK || status == GF_ERROR_MEMORY, "%s", error.message);
    gf_pipeline_destroy(&pipeline);
}

void fuzz_cube(const uint8_t *data, size_t size)
{
    char path[64];
    struct cube_file cube;
    gf_error error = GF_ERROR_INIT;
    const int fd = fuzz_path(data, size, path);
    gf_status status = cube_file_read(path, &cube, &error);
    close(fd);
    fuzz_status(status, &error);
    if (status == GF_OK) {
        bind(&cube);
    } else {
        FUZZ_CHECK(status == GF_ERROR_MEMORY || status == GF_ERROR_INPUT, "%d", (int)status);
        fuzz_check_named(&error, path);
    }
    cube_file_free(&cube);
}
