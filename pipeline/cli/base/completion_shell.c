/* The scripts that ask `gpufilter completion words`. */
#include "base/completion.h"

#include <string.h>

/* Readline takes ':' and '=' for the ends of words. The words are cut out of the line here, at blanks, and
 * of what is offered only the part behind the last such character is handed back. */
static const char bash_script[] =
    "# bash completion for gpufilter. Load it by: source <(gpufilter completion bash)\n"
    "_gpufilter()\n"
    "{\n"
    "    local line=${COMP_LINE:0:COMP_POINT} word cut= offer\n"
    "    local -a words\n"
    "    read -r -a words <<<\"$line\"\n"
    "    [[ $line == *[[:space:]] ]] && words+=('')\n"
    "    local program=${words[0]/#\\~\\//$HOME/}\n"
    "    word=${words[${#words[@]} - 1]}\n"
    "    if [[ $word == [\\'\\\"]* ]]; then\n"
    "        word=${word:1}\n"
    "        words[${#words[@]} - 1]=$word\n"
    "    elif [[ $word == *[:=]* ]]; then\n"
    "        cut=${word%\"${word##*[:=]}\"}\n"
    "    fi\n"
    "    COMPREPLY=()\n"
    "    while IFS= read -r offer; do\n"
    "        offer=${offer%%|*}\n"
    "        COMPREPLY+=(\"${offer#\"$cut\"}\")\n"
    "    done < <(\"$program\" completion words \"${words[@]:1}\" 2>/dev/null)\n"
    "}\n"
    "complete -o default -o nospace -F _gpufilter gpufilter\n";

static const char zsh_script[] =
    "#compdef gpufilter\n"
    "# zsh completion for gpufilter. Install it as _gpufilter in a folder of $fpath, or load it by:\n"
    "# source <(gpufilter completion zsh)\n"
    "_gpufilter()\n"
    "{\n"
    "    local offer word said\n"
    "    local -a open open_said finished finished_said\n"
    "    local program=${words[1]/#\\~\\//$HOME/}\n"
    "    while IFS= read -r offer; do\n"
    "        word=${offer%%|*}\n"
    "        said=${offer#*|}\n"
    "        [[ $said == $offer ]] && said=${word% } || said=\"${word% }  -- $said\"\n"
    "        if [[ $word == *' ' ]]; then\n"
    "            finished+=(\"${word% }\") finished_said+=(\"$said\")\n"
    "        else\n"
    "            open+=(\"$word\") open_said+=(\"$said\")\n"
    "        fi\n"
    "    done < <(\"$program\" completion words \"${(@Q)words[2,CURRENT]}\" 2>/dev/null)\n"
    "    if (( ${#open} + ${#finished} == 0 )); then\n"
    "        _files\n"
    "        return\n"
    "    fi\n"
    "    (( ${#finished} )) && compadd -Q -l -d finished_said -a finished\n"
    "    (( ${#open} )) && compadd -Q -l -S '' -d open_said -a open\n"
    "}\n"
    "if [[ ${funcstack[1]} == _gpufilter ]]; then\n"
    "    _gpufilter \"$@\"\n"
    "elif (( ${+functions[compdef]} )); then\n"
    "    compdef _gpufilter gpufilter\n"
    "fi\n";

static const char fish_script[] =
    "# fish completion for gpufilter. Load it by: gpufilter completion fish | source\n"
    "function __gpufilter_offers\n"
    "    set -l words (commandline -opc) (commandline -ct)\n"
    "    set -l program (string replace -r '^~/' \"$HOME/\" -- $words[1])\n"
    "    $program completion words $words[2..-1] 2>/dev/null | string replace -r '^([^|]*?) ?\\|' '$1\\t' | "
    "string trim -r -c ' '\n"
    "end\n"
    "# Files are offered only where nothing else may stand.\n"
    "complete -c gpufilter -f -n 'string length -q -- (__gpufilter_offers)' -a '(__gpufilter_offers)'\n";

const char *completion_script(const char *shell)
{
    return !strcmp(shell, "bash")   ? bash_script
           : !strcmp(shell, "zsh")  ? zsh_script
           : !strcmp(shell, "fish") ? fish_script
                                    : NULL;
}
