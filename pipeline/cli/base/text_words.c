#include "base/text_words.h"

#include "base/message.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
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

bool text_words_number(struct text_words *words, long double *number)
{
    char *end = NULL;
    if (text_words_at_end_of_line(words)) {
        return false;
    }
    errno = 0;
    *number = (long double)strtoll(words->at, &end, 10);
    if (errno != 0 || *number == 0 || (*end && !isspace((unsigned char)*end))) { /* 0 may be -0 */
        *number = (long double)strtod(words->at, &end);
    }
    const bool good = end != words->at && (isspace((unsigned char)*end) || !*end);
    words->at = good ? end : words->at;
    return good;
}

bool text_words_at_end_of_line(struct text_words *words)
{
    text_words_skip_blanks(words);
    return !*words->at || *words->at == '\n';
}
