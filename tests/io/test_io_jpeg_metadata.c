/* What a JPEG says beside its pixels: profiles, EXIF, density. */
#define _DEFAULT_SOURCE
#include "gpufilter/io_memory.h"
#include "io_help.h"
#include "jpeg_smooth.h"

static void metadata_is_kept(void)
{
    static const size_t sizes[] = {132, 3001, 65519, 65520, 200000};
    static unsigned char small[3001], exif[77], icc[200000];
    gf_picture *out = make_smooth(20, 10, 3);
    gf_metadata metadata;
    fill_metadata(&metadata, small, exif);
    for (size_t i = 0; i < sizeof icc; i++) {
        icc[i] = (unsigned char)(i >> 8 ^ i * 5);
    }
    memcpy(icc + 36, "acsp", 4);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        gf_error error = GF_ERROR_INIT;
        gf_picture *in = NULL, *again = NULL;
        metadata.icc = icc;
        metadata.icc_size = sizes[i];
        CHECK_EQ_INT(gf_io_write(in_folder("m.jpg"), &out->image, &metadata, NULL, &error), GF_OK);
        REQUIRE(gf_io_read(in_folder("m.jpg"), NULL, &in, &error) == GF_OK);
        CHECK_STR(in->note, "");
        REQUIRE(in->metadata.icc_size == sizes[i] && in->metadata.exif_size == 77);
        CHECK_MEM(in->metadata.icc, icc, sizes[i]);
        CHECK_MEM(in->metadata.exif, exif, 77);
        CHECK_EQ_INT(in->metadata.fields, GF_META_DENSITY);
        CHECK_EQ_INT(gf_io_write(in_folder("m.png"), &in->image, &in->metadata, NULL, &error), GF_OK);
        REQUIRE(gf_io_read(in_folder("m.png"), NULL, &again, &error) == GF_OK);
        CHECK(again->metadata.exif_size == 77 && same_pictures(&in->image, &again->image));
        gf_picture_destroy(&in);
        gf_picture_destroy(&again);
    }
    gf_error error = GF_ERROR_INIT;
    metadata.exif_size = 65528;
    metadata.exif = icc;
    CHECK_EQ_INT(gf_io_write(in_folder("m2.jpg"), &out->image, &metadata, NULL, &error),
                 GF_ERROR_UNSUPPORTED);
    CHECK_STR_HAS(error.message, "jpeg holds at most 65527 bytes of EXIF, not 65528");
    metadata.exif_size = 65527;
    CHECK_EQ_INT(gf_io_write(in_folder("m2.jpg"), &out->image, &metadata, NULL, &error), GF_OK);
    gf_picture_destroy(&out);
}

static void densities(void)
{
    static const struct {
        uint32_t given[2], unit, got[2];
    } table[] = {{{2835, 2835}, 1, {2835, 2835}},
                 {{11811, 23622}, 1, {11811, 23622}},
                 {{10000, 11800}, 1, {10000, 11800}},
                 {{3, 2}, 0, {3, 2}},
                 {{1, 1}, 1, {0, 0}},
                 {{70000, 1}, 0, {0, 0}}};
    gf_picture *out = make_smooth(8, 8, 1);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        gf_metadata metadata = GF_METADATA_INIT;
        gf_picture *in = NULL;
        metadata.fields = GF_META_DENSITY;
        metadata.density_unit = (uint8_t)table[i].unit;
        memcpy(metadata.density, table[i].given, sizeof metadata.density);
        REQUIRE(gf_io_write(in_folder("d.jpg"), &out->image, &metadata, NULL, NULL) == GF_OK);
        REQUIRE(gf_io_read(in_folder("d.jpg"), NULL, &in, NULL) == GF_OK);
        CHECK_EQ_INT(in->metadata.fields, table[i].got[0] != 0 ? GF_META_DENSITY : 0);
        CHECK_EQ_INT(in->metadata.density[0], table[i].got[0]);
        CHECK_EQ_INT(in->metadata.density[1], table[i].got[1]);
        gf_picture_destroy(&in);
    }
    gf_picture_destroy(&out);
}

/* Segments of a profile in a file made by hand: which, of how many. */
static void profile_pieces(void)
{
    static const struct {
        const char *order; /* pairs of digits: number, count */
        const char *note;  /* NULL: it is whole */
    } table[] = {{"11", NULL},
                 {"1222", NULL},
                 {"2212", NULL},
                 {"12", "a segment is missing"},
                 {"121222", "its segments contradict each other"},
                 {"1123", "its segments contradict each other"},
                 {"0122", "its segments contradict each other"},
                 {"31", "its segments contradict each other"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        static unsigned char bytes[1 << 16];
        size_t size = jpeg_make(bytes, sizeof bytes, &(struct jpeg_kind){.space = JCS_GRAYSCALE});
        for (const char *at = table[i].order; *at != '\0'; at += 2) {
            unsigned char segment[18 + 100] = "\xff\xe2\0\x74ICC_PROFILE";
            segment[16] = (unsigned char)(at[0] - '0');
            segment[17] = (unsigned char)(at[1] - '0');
            memset(segment + 18, at[0], 100);
            memcpy(segment + 18 + 36, "acsp", 4);
            if (strcmp(table[i].order, "11") == 0) { /* alone it is too short */
                continue;
            }
            size = jpeg_insert(bytes, size, 20 + (size_t)(at - table[i].order) / 2 * sizeof segment, segment,
                               sizeof segment);
        }
        gf_error error;
        gf_picture *in = read_bytes(bytes, size, NULL, &error);
        CHECK_MSG(in != NULL, "%s: %s", table[i].order, error.message);
        if (in != NULL && table[i].note != NULL) {
            CHECK(in->metadata.icc == NULL);
            CHECK_STR_HAS(in->note, table[i].note);
        } else if (in != NULL && strlen(table[i].order) == 4) {
            REQUIRE(in->metadata.icc_size == 200);
            CHECK(((const char *)in->metadata.icc)[0] == '1' && ((const char *)in->metadata.icc)[199] == '2');
        }
        gf_picture_destroy(&in);
    }
}

static void cleanup(void)
{
    remove_folder(help_folder);
}

static const struct check_case cases[] = {
    {"ICC profiles of all sizes and EXIF are byte-equal", metadata_is_kept},
    {"density, in its three units", densities},
    {"pieces of a profile", profile_pieces},
    {"the folder is removed", cleanup},
};

CHECK_MAIN(cases)
