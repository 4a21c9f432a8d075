/* Words of other programs. What means stages here is known to the library (gf_stage_known_as); commands and
 * options are known here. Each leads to a command that runs as it stands. */
#include "help/other_words.h"

#include "base/words.h"
#include "gpufilter/stage.h"
#include "help/commands.h"
#include "help/help.h"

#include <ctype.h>
#include <string.h>

/* Words in small letters, without '-' and '_'. */
static const struct other_word {
    const char *words, *says, *command;
} others[] = {
    {"identify|imageinfo|exif|exiftool|ffprobe", "what a file holds", "gpufilter info in.png"},
    {"magick|transcode|reformat|imwrite|savefig", "the suffix of OUT says the format",
     "gpufilter in.png out.jpg"},
    {"mogrify|bulk|foreach", "many files at a time", "gpufilter batch in.png -o small --stages resize:50%"},
    {"strip|nometadata|anonymize|stripexif|removemetadata",
     "--strip leaves out what says who, when and where", "gpufilter in.jpg out.jpg --strip"},
    {"montage|contactsheet|tile|arrayjoin|spritesheet", "many pictures as one, in rows",
     "gpufilter sheet in.png top.png out.png --columns 2"},
    {"average|evaluatesequence|zprojection|imagestack|zstack|burst", "many pictures as one, pixel by pixel",
     "gpufilter stack in.png top.png out.png --by median"},
    {"diff|imagediff|psnr|rmse|metric|pixelmatch|odiff|regcli|ssim|snapshot",
     "how far two files are from each other", "gpufilter compare in.png golden.png"},
    /* options; those of batch are known there */
    {"recursive|from|null|glob|skipexisting|dryrun|maxfailures|journal|resume|retryfailed|shard",
     "it is one of `gpufilter batch`, which is for many files",
     "gpufilter batch in.png -o small --stages resize:50%"},
    {"o|output|out|outfile|i|infile", "files need no option: the first is IN, the second OUT",
     "gpufilter in.png out.png"},
    {"y|f|force|overwrite", "an OUT that is there is replaced; --no-clobber keeps it",
     "gpufilter in.png out.png"},
    {"vf|af|filter|filters|filtercomplex|chain|e|p", "stages stand behind --stages, or -s",
     "gpufilter in.png out.png --stages gray,blur:2"},
    {"size|width|height|geometry|w", "resize is a stage", "gpufilter in.png out.png --stages resize:800x"},
    {"json", "the report is JSON", "gpufilter in.png --stages stats --report - -q"},
    {"n|check|plan|dryrun", "--explain shows what would run",
     "gpufilter --explain in.png out.png --stages blur:2"},
    {"j|jobs|workers|parallel|nthreads|t", "--threads says how many", "gpufilter in.png out.png --threads 4"},
    {"silent", "--quiet, or -q", "gpufilter in.png out.png -q"},
    {"debug|log|timing|time", "--verbose, or -v", "gpufilter in.png out.png -v"},
    {"gpu|cuda|cpu|opencl", "--device says which; auto is the default",
     "gpufilter in.png out.png --device cpu --stages blur:2"},
    {"compression|compress|compressionlevel", "--png-level", "gpufilter in.png out.png --png-level 9"},
    {"crf", "--quality", "gpufilter in.png out.jpg --quality 90"},
    {"bits|bitdepth|pixfmt", "--depth", "gpufilter in.png out.png --depth u16"},
};
enum { OTHERS = sizeof others / sizeof *others };

/* Primitives of arrays, the page of each in docs/primitives, and what others call it. */
static const struct primitive_words {
    const char *primitive, *page;
    bool steps; /* the page has them, from naive to fast */
    const char *words;
} primitives[] = {
    {"reduce", "reduce", true, "reduction|sum|fold|aggregate|tree_reduction|argreduce"},
    {"scan", "scan", true,
     "prefix_sum|cumsum|cumulative_sum|partial_sum|inclusive_scan|exclusive_scan|blelloch|hillis_steele"},
    {"compact", "compact", true, "compaction|stream_compaction|copy_if|select_if|remove_if|filter"},
    {"partition", "select", false, "stable_partition"},
    {"sort", "sort", true, "bitonic|bitonic_sort|radix|radix_sort|merge_sort|argsort|sort_by_key|onesweep"},
    {"segmented_sort", "sort", false, "batched_sort|sort_rows"},
    {"merge", "sort", false, "merge_path|merge_sorted"},
    {"top_k", "select", false, "nlargest|nth_element|partial_sort"},
    {"segmented_reduce", "keyed", false, "reduceat|segmented_sum"},
    {"segmented_scan", "keyed", false, "segmented_prefix_sum"},
    {"run_length", "keyed", false, "rle|run_length_encode|run_length_encoding"},
    {"unique_by_key", "keyed", false, "unique|dedup|distinct"},
    {"reduce_by_key", "keyed", false, "group_by|sum_by_key"},
    {"scan_by_key", "keyed", false, "cumsum_by_key"},
    {"adjacent_difference", "adjacent", false, "diff|difference"},
    {"histogram", "histogram", true, "counting|atomic_histogram"},
    {"histogram_2d", "histogram_2d", false, "histogram2d|hist2d|bincount"},
    {"search", "search", true, "linear_search|find_first|index_of"},
    {"bounds", "bounds", false, "lower_bound|upper_bound|equal_range|searchsorted|binary_search"},
    {"matmul", "matmul", true,
     "gemm|sgemm|dgemm|product|matrix_product|matrix_multiply|matrix_multiplication|tiled_matmul"},
    {"spmv", "spmv", true, "csr|csrmv|sparse|sparse_matrix|sparse_product"},
    {"stencil", "stencil", true, "jacobi|heat_equation|five_point|halo"},
    {"fft", "fft", false, "cufft|rfft|fftw"},
    {"bfs", "graph", true, "breadth_first|breadth_first_search|graph_traversal"},
    {"sssp", "graph", false, "dijkstra|bellman_ford|shortest_path|shortest_paths"},
    {"components", "graph", false, "label_propagation|wcc|union_find"},
    {"ragged", "ragged", true,
     "nested_loop|nested_loops|cuda_nested_loop|segments|jagged|load_balance|load_balancing"},
};
enum { PRIMITIVES = sizeof primitives / sizeof primitives[0] };

/* A word in small letters, without what may stand between its parts. */
static void fold(const char *typed, size_t length, char word[32])
{
    size_t n = 0;
    for (size_t i = 0; i < length && n < 31; i++) {
        if (!strchr("-_ ", typed[i])) {
            word[n++] = (char)tolower((unsigned char)typed[i]);
        }
    }
    word[n] = '\0';
}

const gf_primitive *find_primitive(const char *name)
{
    const gf_primitive *p;
    for (size_t i = 0; (p = gf_primitive_at(i)) != NULL && strcmp(p->name, name) != 0; i++) {
    }
    return p;
}

/* Tells whether a list has a folded word. */
static bool has_folded(const char *list, const char *word)
{
    size_t length;
    const char *at;
    bool has = false;
    for (int i = 0; !has && (at = words_at(list, i, &length)) != NULL; i++) {
        char other[32];
        fold(at, length, other);
        has = !strcmp(other, word);
    }
    return has;
}

const char *primitive_known_as(const char *typed, size_t length)
{
    char word[32];
    fold(typed, length, word);
    for (int i = 0; i < PRIMITIVES; i++) {
        const char *name = primitives[i].primitive;
        if ((has_folded(name, word) || has_folded(primitives[i].words, word)) && find_primitive(name)) {
            return name;
        }
    }
    return NULL;
}

void primitive_page_add(struct buffer *text, const char *primitive, const char *before)
{
    for (int i = 0; i < PRIMITIVES; i++) {
        if (!strcmp(primitives[i].primitive, primitive)) {
            buffer_printf(text, "%sdocs/primitives/%s.md%s", before, primitives[i].page,
                          primitives[i].steps ? ", step by step from the naive kernel to the fast one" : "");
        }
    }
}

void primitive_add(struct buffer *text, const gf_primitive *primitive)
{
    buffer_printf(text, "%s: %s; gpufilter prim %s --help says more", primitive->name, primitive->summary,
                  primitive->name);
    primitive_page_add(text, primitive->name, "\n  ");
    buffer_add(text, "\n");
}

static const struct other_word *find_other(const char *typed, size_t length)
{
    char word[32];
    int i = 0;
    fold(typed, length, word);
    while (i < OTHERS && words_index(others[i].words, word) < 0) {
        i++;
    }
    return i < OTHERS ? &others[i] : NULL;
}

/* The stage that the last of a list of stages is. */
static const gf_stage_type *last_type(const char *stages)
{
    const char *at = strrchr(stages, ',');
    char name[64] = "";
    at = at ? at + 1 : stages;
    strncat(name, at, strcspn(at, ":") < sizeof name ? strcspn(at, ":") : sizeof name - 1);
    return gf_stage_find(name);
}

static void add_stages_command(struct buffer *text, const char *stages)
{
    const gf_stage_type *type = last_type(stages);
    if (type) {
        help_example_command(text, type, stages);
    }
}

bool other_word_add(struct buffer *text, const char *word, size_t length)
{
    const struct other_word *other = find_other(word, length);
    const char *stages = gf_stage_known_as(word, length), *primitive = primitive_known_as(word, length);
    if (stages) {
        buffer_add(text, "stages stand behind --stages\n  ");
        add_stages_command(text, stages);
    } else if (other) {
        buffer_printf(text, "%s\n  %s", other->says, other->command);
    } else if (primitive) {
        buffer_printf(text, "%s\n  gpufilter prim %s --help", find_primitive(primitive)->summary, primitive);
        primitive_page_add(text, primitive, "\n  ");
    }
    return stages || other || primitive;
}

bool other_option_add(struct buffer *text, const char *name, size_t length)
{
    char word[64] = "";
    strncat(word, name, length < sizeof word ? length : sizeof word - 1);
    const gf_stage_type *type = gf_stage_find(word);
    if (type) {
        buffer_add(text, "stages stand behind --stages\n  ");
        help_example_command(text, type, type->examples ? type->examples->stages : word);
        return true;
    }
    return other_word_add(text, word, strlen(word));
}

/* ---- all of them ---- */

static void add_row(struct buffer *text, const char *words)
{
    size_t length;
    const char *word;
    buffer_add(text, "  ");
    for (int i = 0; (word = words_at(words, i, &length)); i++) {
        buffer_printf(text, "%s%.*s", i > 0 ? ", " : "", (int)length, word);
    }
    buffer_add(text, "\n      ");
}

void other_words_table(struct buffer *text)
{
    const char *stages = NULL, *words;
    for (int32_t i = 0; (words = gf_stage_known_words(i, &stages)); i++) {
        add_row(text, words);
        add_stages_command(text, stages);
        buffer_add(text, "\n");
    }
    for (int i = 0; i < OTHERS; i++) {
        add_row(text, others[i].words);
        buffer_printf(text, "%s\n", others[i].command);
    }
    for (int i = 0; i < PRIMITIVES; i++) {
        if (find_primitive(primitives[i].primitive)) {
            add_row(text, primitives[i].words);
            buffer_printf(text, "gpufilter prim %s --help\n", primitives[i].primitive);
        }
    }
}
