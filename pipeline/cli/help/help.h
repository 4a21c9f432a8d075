/* The parts of `gpufilter help`. They are made from the tables of stages, options, limits and formats; what
 * no table says is text here. The man pages are made of the same parts. */
#pragma once

#include "base/arguments.h"
#include "base/completion.h"
#include "gpufilter/stage.h"

/* A word of its own: "roi", "limits". */
struct help_topic {
    const char *name;    /* NULL ends the table */
    const char *aliases; /* separated by '|'; NULL: none */
    const char *summary; /* one line */
    const char *text;    /* paragraphs; lines that begin with two blanks stand as they are. NULL: none */
    void (*add)(struct buffer *text); /* what a table says, behind the text; NULL: nothing */
};
extern const struct help_topic help_topic_table[];

/* The topic of that name or alias, or NULL. */
const struct help_topic *help_topic_find(const char *word);
void help_topic_add(struct buffer *text, const struct help_topic *topic);
/* The names of all of them, in lines of their own. */
void help_topic_names(struct buffer *text);

/* All words that help knows, for completion. */
void help_words_offer(const struct offers *offers);

/* help_stage.c: the page of a stage, and its parts for the man page. */
void help_stage_add(struct buffer *text, const gf_stage_type *type);
/* "number from 0.05 to 10000 px, or auto; default 1; may stand without its name" */
void help_param_values(struct buffer *text, const gf_param *param);
/* "blur:sigma=1:radius=auto" */
void help_stage_signature(struct buffer *text, const gf_stage_type *type);
/* Returns how many of the parameters are the stage's own; those behind them are shared. */
int32_t help_own_params(const gf_stage_type *type);
/* "gpufilter in.png out.png --stages blur:2" */
void help_example_command(struct buffer *text, const gf_stage_type *type, const char *stages);

/* help_options.c: the page of an option of any command, with or without "--". Returns whether there is one.
 */
bool help_option_add(struct buffer *text, const char *word);
/* Returns what the table has no room for; NULL: nothing. */
const char *help_option_more(const char *name);
/* The lines of --limit: names, defaults, meaning. */
void help_limits_add(struct buffer *text);

/* command_list.c: what `list` prints. */
void list_stages_add(struct buffer *text);
void list_formats_add(struct buffer *text);

/* man_page.c: the page of that name, "gpufilter" or "gpufilter-stages", in mdoc. Returns whether there is
 * one. */
bool man_page_add(struct buffer *text, const char *page);
