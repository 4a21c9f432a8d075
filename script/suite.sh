# Sourced by script/test and script/test-gpu: runs TAP programs, several at once, and prints their results in the
# order in which they were named, then the closing line.
#
#   suite NAME LEAST COMMAND...   queues COMMAND, a program or a function, which prints TAP: one stream or several in
#                                 a row, each with its plan; fewer than LEAST cases is a failure. Returns once the
#                                 command has started, which takes as long as suite_jobs others run.
#   suites LIST LABEL BUILD ...   queues a list of tests/suites.cmake: see below
#   suite_wait                    until all have ended
#   suite_end                     waits; prints skips with their reasons, then "N passed, N failed, N skipped"
#
# suite_jobs: how many run at once; the number of processors, at most 4. A command sees the environment of the call,
# so VAR=value suite ... works. Where a suite fails, the command that runs it again is printed, with its share.

passed=0
failed=0
skipped=0
skips=
suite_jobs=$(nproc)
[ "$suite_jobs" -le 4 ] || suite_jobs=4
suite_names=()
suite_least=()
suite_again=()
suite_shown=0
log_dir=$(mktemp -d)
trap suite_clean EXIT
trap 'exit 130' INT TERM

suite() {
    local number=${#suite_names[@]}
    while [ "$(jobs -rp | wc -l)" -ge "$suite_jobs" ]; do
        wait -n
        suite_show
    done
    suite_names+=("$1")
    suite_least+=("$2")
    shift 2
    suite_again+=("$(suite_command "$@")")
    set -m # a process group of its own, which can be ended as a whole, and no signals ignored
    {
        set +m
        status=0
        start=$EPOCHSECONDS
        "$@" >"$log_dir/$number" 2>"$log_dir/$number.err" </dev/null || status=$?
        times >"$log_dir/$number.times"
        echo "$status $((EPOCHSECONDS - start)) $(suite_processor_time <"$log_dir/$number.times")" >"$log_dir/$number.new"
        mv "$log_dir/$number.new" "$log_dir/$number.end"
    } &
    set +m
    suite_show
}

# Seconds that the children took, from what the shell's times prints.
suite_processor_time() {
    awk -F '[ms ]+' 'NR == 2 { printf "%.0f", 60 * ($1 + $3) + $2 + $4 }'
}

# The line that runs COMMAND again as it runs now; of a function none, for only its script knows it.
suite_command() { # COMMAND...
    local name line
    [ "$(type -t "$1")" != function ] || return 0
    line=$(printf '%q ' "$@")
    for name in GPUFILTER_TEST_SLICE GPUFILTER_TEST_CHAINS GPUFILTER_TEST_WHOLE GF_PASS_CASES GF_EMU_SEED GPUFILTER_SLOW; do
        [ -z "${!name:-}" ] || line="$name=${!name} $line"
    done
    echo "to repeat it: ${line% }"
}

# Prints those that have ended and whose predecessors have.
suite_show() {
    while [ -f "$log_dir/$suite_shown.end" ]; do
        suite_print "$suite_shown"
        suite_shown=$((suite_shown + 1))
    done
}

suite_print() { # NUMBER
    local name=${suite_names[$1]} least=${suite_least[$1]} log=$log_dir/$1 status='?' seconds='?' spent='?' ok bad skip count plan
    [ ! -f "$log.end" ] || read -r status seconds spent <"$log.end"
    skip=$(grep -Ec '^ok .*# (SKIP|skip)' "$log")
    ok=$(($(grep -c '^ok ' "$log") - skip))
    bad=$(grep -c '^not ok ' "$log")
    count=$((ok + bad + skip))
    plan=$(sed -n 's/^1\.\.\([0-9][0-9]*\).*/\1/p' "$log" | paste -sd+)
    if [ "$bad" = 0 ]; then
        if [ "$status" != 0 ] || [ "$((${plan:--1}))" != "$count" ] || [ "$count" -lt "$least" ]; then
            echo "not ok - $name: exit $status, planned ${plan:-none}, ran $count, at least $least expected"
            grep '^Bail out!' "$log"
            tail -n 15 "$log.err"
            bad=1
        fi
    else
        grep -B 25 -A 8 '^not ok ' "$log" | grep -E '^(#|not ok)' | head -n 60
        tail -n 15 "$log.err"
    fi
    [ "$bad" = 0 ] || [ -z "${suite_again[$1]}" ] || echo "${suite_again[$1]}"
    skips="$skips$(sed -n "s|^ok [0-9]* [- ]*\(.*\) # [Ss][Kk][Ii][Pp] *\(.*\)|skipped: $name: \1: \2|p" "$log")
"
    passed=$((passed + ok))
    failed=$((failed + bad))
    skipped=$((skipped + skip))
    echo "suite $name: $ok passed, $bad failed, $skip skipped, $seconds s ($spent s of processor time)"
}

suite_wait() {
    wait
    for ((; suite_shown < ${#suite_names[@]}; suite_shown++)); do
        suite_print "$suite_shown" # a killed one leaves no .end
    done
}

suite_end() {
    suite_wait
    echo "$skips" | grep -v '^$' | sort -u
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" = 0 ]
}

# suites LIST LABEL BUILD [TIMES RUNNER...]: queues the suites that tests/suites.cmake has in LIST, "LABEL NAME" each, of
# the programs of BUILD. RUNNER runs each of them TIMES times. Of tables that are too slow to run as a whole a share,
# another one with every commit, but with GPUFILTER_TEST_WHOLE=1 all; GPUFILTER_TEST_SLICE says which instead. Likewise
# of the suites of a list themselves where suites_part=N: every N-th of them. suite_ahead=1: the share of the next commit,
# so that two builds meet different ones.
suites() {
    local list=$1 label=$2 build=$3 times=${4:-1} lists name least share serial environment command settings words turn number=0
    shift $(($# < 4 ? $# : 4))
    [ -z "${GPUFILTER_TEST_WHOLE:-}" ] || local suites_part=1
    turn=$(suite_turn "${suites_part:-1}")
    while IFS='|' read -r lists name least share serial environment command; do
        [[ " $lists " =~ \ $list(:([0-9]+))?\  ]] || continue
        [ $((number++ % ${turn#*/})) = "${turn%/*}" ] || continue
        IFS=';' read -ra settings <<<"$environment"
        IFS=';' read -ra words <<<"$command"
        if [ "$share" != 1 ] && [ $# = 0 ] && [ -z "${GPUFILTER_TEST_SLICE:-}" ] && [ -z "${GPUFILTER_TEST_WHOLE:-}" ]; then
            settings+=("GPUFILTER_TEST_SLICE=$(suite_turn "$share" "${suites_part:-1}")")
        fi
        [ "$serial" = FALSE ] || suite_wait
        suite "${label:+$label }$name" $((${BASH_REMATCH[2]:-$least} * times)) "$@" \
            ${settings[@]+env "${settings[@]}"} "${words[@]}"
        [ "$serial" = FALSE ] || suite_wait
    done <"$build/suites"
}

# The test programs of those suites of LIST that suites would run.
suites_programs() { # LIST BUILD
    (
        suite() {
            local word
            for word in "${@:3}"; do
                [[ $word != */test_* ]] || echo "${word##*/}"
            done
        }
        suite_wait() { :; }
        suites "$1" "" "$2"
    ) | sort -u
}

# The share of N that is this commit's turn, or that of EVERY commits in a row: so all shares come to those that run once in
# EVERY commits.
suite_turn() { # N [EVERY]
    echo "$((($(git rev-list --count HEAD 2>/dev/null || echo 0) + ${suite_ahead:-0}) / ${2:-1} % $1))/$1"
}

primitives() {
    sed -n 's/^GF_PRIMITIVE(\(.*\))$/\1/p' kernels/primitives/primitives.def
}

suite_clean() {
    local pid
    for pid in $(jobs -rp); do
        kill -- "-$pid" 2>/dev/null
    done
    rm -rf "$log_dir"
}
