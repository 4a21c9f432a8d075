#include "text_words.h"

#include "message.h"

#include <inttypes.h>
#include <string.h>

gf_status text_words_bad(const struct text_words *words, const char *what)
{
    return cli_error(words->error, GF_ERROR_INPUT, "%s: line %" PRId64 ": %s", words->path, words->line,
                     what);
}

void text_words_skip_blanks(struct text_words *words)
{
    words->at += strspn(words->at, words->blanks);
}

bool text_words_next_line(struct text_words *words)
{
    for (;; words->at++, words->line++) {
        text_words_skip_blanks(words);
        if (*words->at && strchr(words->comments, *words->at)) {
            words->at += strcspn(words->at, "\n");
        }
        if (*words->at != '\n') {
            return *words->at != '\0';
        }
    }
}

bool text_words_at_end_of_line(struct text_words *words)
{
    text_words_skip_blanks(words);
    return !*words->at || *words->at == '\n';
}
