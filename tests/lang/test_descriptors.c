/* Stage types of embedders: what is wrong with one is said. */
#include "check.h"
#include "language_types.h"
#include "param/params.h"

#include <math.h>

static const char *fault_of(gf_stage_type type)
{
    static gf_error error;
    error = (gf_error)GF_ERROR_INIT;
    CHECK(gf_stage_type_check(&type, &error) == GF_ERROR_ARGUMENT);
    return error.message;
}

static const char *fault_of_row(gf_param row)
{
    gf_param rows[] = {test_every_params[0], row, {0}};
    gf_stage_type type = test_types_array[4];
    type.params = rows;
    return fault_of(type);
}

static void wrong_descriptors(void)
{
    const gf_stage_type good = test_types_array[4];
    gf_stage_type type = good;
    CHECK(gf_stage_type_check(&good, NULL) == GF_OK);
    type.struct_size = 8;
    CHECK_STR_HAS(fault_of(type), "gf_stage_type.struct_size is 8, must be sizeof(gf_stage_type)");
    type = good;
    type.name = "Every";
    CHECK_STR(fault_of(type), "stage type 'Every': names must be of lower case letters, digits and _");
    type.name = NULL;
    CHECK_STR_HAS(fault_of(type), "names must be");
    type = good;
    type.aliases = "a||b";
    CHECK_STR_HAS(fault_of(type), "names must be");
    type = good;
    type.lower = NULL;
    CHECK_STR(fault_of(type), "stage type 'every': lower is NULL");
    type = good;
    type.params_size = 8;
    CHECK_STR_HAS(fault_of(type), "parameter 'free_whole': its offset is outside params_size");
    gf_param row = test_every_params[3];
    row.name = "whole";
    CHECK_STR_HAS(fault_of_row(row), "parameter 'whole': its name stands twice");
    row.name = "border";
    CHECK_STR_HAS(fault_of_row(row), "shared parameter");
    row.name = "op";
    CHECK_STR_HAS(fault_of_row(row), "op names the stage");
    row = test_every_params[3];
    row.offset += 4;
    CHECK_STR_HAS(fault_of_row(row), "not aligned");
    row = test_every_params[3];
    row.text = "-3";
    CHECK_STR_HAS(fault_of_row(row), "parameter 'number': number is -3, must be from -2.5 to 1000000");
    row.min = NAN;
    CHECK_STR_HAS(fault_of_row(row), "its interval is empty");
    row = test_every_params[3];
    row.type = (gf_param_type)99;
    CHECK_STR_HAS(fault_of_row(row), "its type is unknown");
    row = test_every_params[9];
    row.choices = "a|b c";
    CHECK_STR_HAS(fault_of_row(row), "its choices must be words");
    row = test_every_params[9];
    row.text = "";
    CHECK_STR_HAS(fault_of_row(row), "a choice needs a default");
    row = test_every_params[8];
    row.auto_word = "auto";
    CHECK_STR_HAS(fault_of_row(row), "only numbers have an auto_word");
}

static const struct check_case cases[] = {
    {"wrong descriptors", wrong_descriptors},
};
CHECK_MAIN(cases)
