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

static const struct other_word *find_other(const char *typed, size_t length)
{
    char word[32];
    size_t n = 0;
    for (size_t i = 0; i < length && n < sizeof word - 1; i++) {
        if (typed[i] != '-' && typed[i] != '_') {
            word[n++] = (char)tolower((unsigned char)typed[i]);
        }
    }
    word[n] = '\0';
    int i = 0;
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
    const char *stages = gf_stage_known_as(word, length);
    if (stages) {
        buffer_add(text, "stages stand behind --stages\n  ");
        add_stages_command(text, stages);
    } else if (other) {
        buffer_printf(text, "%s\n  %s", other->says, other->command);
    }
    return stages || other;
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
}
