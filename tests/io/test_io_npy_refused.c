/* npy: headers that must be refused. */
#define _DEFAULT_SOURCE
#include "npy_make.h"

static void refused_headers(void)
{
    static const struct {
        const char *dictionary, *says;
    } table[] = {
        {"", "not a dictionary"},
        {"{", "not a dictionary"},
        {"{}", "is missing"},
        {"[1, 2]", "not a dictionary"},
        {"{'descr': '|u1', 'shape': (4,)}", "is missing"},
        {"{'descr': '|u1', 'fortran_order': False}", "is missing"},
        {"{'descr': '|u1', 'descr': '|u1', 'fortran_order': False, 'shape': (4,)}", "a key twice"},
        {"{'descr': '|u1', 'fortran_order': False, 'shape': (4,), 'x': 1}", "a key other than"},
        {"{'descr' '|u1'}", "not a dictionary"},
        {"{'descr': '|u1' 'fortran_order': False}", "not a dictionary"},
        {"{'descr: 1}", "not a dictionary"},
        {"{'de\\x73cr': 1}", "not a dictionary"},
        {D("|u1", "False", "(4,)") "x", "text after"},
        {D("|u1", "False", "(4,)") "{}", "text after"},
        {D("|u1", "0", "(4,)"), "'fortran_order' is not True or False"},
        {D("|u1", "'True'", "(4,)"), "'fortran_order' is not True or False"},
        {D("|u1", "False", "4"), "'shape' is not a tuple"},
        {D("|u1", "False", "(4)"), "'shape' is not a tuple"},
        {D("|u1", "False", "(4,"), "'shape' is not a tuple"},
        {D("|u1", "False", "(-4,)"), "'shape' is not a tuple"},
        {D("|u1", "False", "(4.0,)"), "'shape' is not a tuple"},
        {D("|u1", "False", "(0x4,)"), "'shape' is not a tuple"},
        {D("|u1", "False", "(,)"), "'shape' is not a tuple"},
        {D("|u1", "False", "(2,,2)"), "'shape' is not a tuple"},
        {D("|u1", "False", "(9223372036854775808,)"), "'shape' is not a tuple"},
        {D("|u1", "False", "()"), "a single number"},
        {D("|u1", "False", "(0,)"), "an empty array"},
        {D("|u1", "False", "(2, 0)"), "an empty array"},
        {D("|u1", "False", "(1, 1, 5)"), "channels, 1 to 4"},
        {D("|u1", "False", "(1, 1, 1, 4)"), "more than 3 dimensions"},
        {D("|u1", "False", "(5,)"), "ends early: 4 of 5 bytes"},
        {D("<u2", "False", "(1000000, 200)"), "ends early: 4 of 400000000 bytes"},
        {D("|u1", "False", "(9223372036854775807,)"), "beyond max_pixels, 268435456"},
        {D("|u1", "False", "(4611686018427387904, 4)"), "beyond max_height, 1000000"},
        {D("|u1", "False", "(4, 4611686018427387904)"), "beyond max_width, 1000000"},
        {D("<f16", "False", "(4,)"), "type float128 are not read; valid are bool, uint8 to uint64, int8 to "
                                     "int64, float16, float32 and float64"},
        {D("<f1", "False", "(4,)"), "type float8 are not read"},
        {D("<b2", "False", "(4,)"), "type b2 are not read"},
        {D("<i3", "False", "(4,)"), "type int24 are not read"},
        {D("<m8", "False", "(4,)"), "type m8 are not read"},
        {D("<c8", "False", "(4,)"), "type complex64 are not read"},
        {D("|O", "False", "(4,)"), "'descr' is not a sample type"},
        {D("<U10", "False", "(4,)"), "type U10 are not read"},
        {D("|u2", "False", "(2,)"), "lacks the byte order"},
        {D("u1", "False", "(4,)"), "'descr' is not a sample type"},
        {D("<u", "False", "(4,)"), "'descr' is not a sample type"},
        {D("<u1111", "False", "(4,)"), "type uint8888 are not read"},
        {D("<ux1", "False", "(4,)"), "'descr' is not a sample type"},
        {D("<\x01"
           "1",
           "False", "(4,)"),
         "'descr' is not a sample type"},
        {"{'descr': [('r', '|u1')], 'fortran_order': False, 'shape': (4,)}", "a structured array"},
        {"{'descr': 1, 'fortran_order': False, 'shape': (4,)}", "'descr' is not a string"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        gf_error error = GF_ERROR_INIT;
        gf_picture *p = NULL;
        gf_status status = gf_io_read(put_npy(1, table[i].dictionary, "abcd", 4), NULL, &p, &error);
        int limit = strstr(table[i].says, "beyond") != NULL;
        CHECK_MSG(status == (limit ? GF_ERROR_LIMIT : GF_ERROR_INPUT), "%s: status %d", table[i].dictionary,
                  (int)status);
        CHECK_STR_HAS(error.message, table[i].says);
        CHECK(p == NULL);
    }
}

static void refused_starts(void)
{
    static const struct {
        const char *bytes;
        size_t size;
        gf_status status;
        const char *says;
    } table[] = {
        {"\x93NUMPX\1\0\1\0", 10, GF_ERROR_INPUT, "not a format"},
        {"\x93NUMPY", 6, GF_ERROR_INPUT, "ends early"},
        {"\x93NUMPY\1\0\x05", 9, GF_ERROR_INPUT, "ends early"},
        {"\x93NUMPY\1\0\xff\xff{", 11, GF_ERROR_INPUT, "ends early"},
        {"\x93NUMPY\0\0\1\0 ", 11, GF_ERROR_INPUT, "version 0.0"},
        {"\x93NUMPY\4\0\1\0 ", 11, GF_ERROR_INPUT, "version 4.0"},
        {"\x93NUMPY\1\1\1\0 ", 11, GF_ERROR_INPUT, "version 1.1"},
        {"\x93NUMPY\2\0\xff\xff\xff\xff", 12, GF_ERROR_LIMIT,
         "header of 4294967295 bytes, beyond max_metadata_bytes"},
        {"\x93NUMPY\3\0\0\0\x80\0", 12, GF_ERROR_LIMIT, "header of 8388608 bytes"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        gf_error error = GF_ERROR_INIT;
        gf_picture *p = NULL;
        put_file(in_folder("s.npy"), table[i].bytes, table[i].size);
        CHECK_EQ_INT(gf_io_read(in_folder("s.npy"), NULL, &p, &error), table[i].status);
        CHECK_STR_HAS(error.message, table[i].says);
    }
}

static void cleanup(void)
{
    remove_folder(help_folder);
}

static const struct check_case cases[] = {
    {"headers that are refused", refused_headers},
    {"beginnings that are refused", refused_starts},
    {"the folder is removed", cleanup},
};

CHECK_MAIN(cases)
