# script/suite.sh: what is a failure, and the closing line.
bats_require_minimum_version 1.5.0

# suites COMMANDS: what they print is $output, the status of suite_end $status
suites() {
    run bash -uc '. "$1/script/suite.sh"; tap() { printf "%b\n" "$@"; }; eval "$2"; suite_end' - \
        "$BATS_TEST_DIRNAME/../.." "$1"
}

@test "order, counts and skips" {
    suites 'suite_jobs=2
        late() { sleep 0.2; tap "ok 1 - a" "ok 2 - b # SKIP no $WHAT" 1..2; }
        WHAT=cheese suite first 2 late
        suite second 1 tap "ok 1 - c" 1..1
        suite third 3 tap "ok 1 - d" 1..1 "ok 1 - e" "ok 2 - f" 1..2'
    [ "$status" = 0 ]
    [[ ${lines[0]} == "suite first: 1 passed, 0 failed, 1 skipped, "* ]]
    [[ ${lines[1]} == "suite second: 1 passed, 0 failed, 0 skipped, "* ]]
    [[ ${lines[2]} == "suite third: 3 passed, 0 failed, 0 skipped, "* ]]
    [ "${lines[3]}" = "skipped: first: b: no cheese" ]
    [ "${lines[4]}" = "5 passed, 0 failed, 1 skipped" ]
}

@test "what ran too few, broke off, was killed or did not start has failed" {
    suites 'suite few 2 tap "ok 1 - a" 1..1
        suite planned 1 tap "ok 1 - a" 1..2
        suite unplanned 1 tap "ok 1 - a"
        suite status 1 bash -c "echo ok 1 - a; echo 1..1; exit 3"
        suite killed 1 eval "kill -9 \$BASHPID"
        suite absent 1 ./no_such_program
        suite none 0 true'
    [ "$status" = 1 ]
    [ "${lines[-1]}" = "4 passed, 7 failed, 0 skipped" ]
}

@test "a failed case is shown with its reason" {
    suites 'suite bad 1 tap "ok 1 - a" "# it is not" "not ok 2 - b" 1..2'
    [ "$status" = 1 ]
    [ "${lines[0]}" = "# it is not" ]
    [ "${lines[1]}" = "not ok 2 - b" ]
    [ "${lines[-1]}" = "1 passed, 1 failed, 0 skipped" ]
}

@test "what failed is named with the command that repeats it, its share and its settings; a function is not" {
    listed "units|bad|1|7|FALSE|A=x y|sh;-c;echo \"not ok 1 - \$GPUFILTER_TEST_SLICE \$A\" && echo 1..1" \
        "units|good|1|7|FALSE||sh;-c;echo ok 1 - a && echo 1..1"
    suites "suites units '' '$BATS_TEST_TMPDIR/build'
        fails() { tap 'not ok 1 - a' 1..1; }
        suite function 1 fails
        GPUFILTER_TEST_CHAINS=9 GPUFILTER_TEST_SLICE=3/5 suite few 2 sh -c 'echo ok 1 - a; echo 1..1'"
    [ "$status" = 1 ]
    [ "$(grep -c '^to repeat it: ' <<<"$output")" = 2 ]
    first=$(sed -n 's/^not ok 1 - \([0-6]\/7 x y\)$/\1/p' <<<"$output")
    command=$(sed -n 's/^to repeat it: \(env .*\)/\1/p' <<<"$output")
    [ "$(eval "$command")" = "not ok 1 - $first
1..1" ]
    [[ $output == *"to repeat it: GPUFILTER_TEST_CHAINS=9 GPUFILTER_TEST_SLICE=3/5 sh -c "* ]]
}

@test "as many at once as asked for, and no more" {
    cd "$BATS_TEST_TMPDIR"
    suites 'suite_jobs=3
        together() { : >$1; for i in {1..200}; do [ -f a ] && [ -f b ] && [ -f c ] && break; sleep 0.1; done
            [ $i -lt 200 ] && tap "ok 1 - $1" 1..1; }
        for name in a b c; do suite $name 1 together $name; done
        suite_wait
        suite_jobs=1
        alone() { mkdir alone && sleep 0.1 && rmdir alone && tap "ok 1 - alone" 1..1; }
        for name in d e f; do suite $name 1 alone; done'
    [ "$status" = 0 ]
}

@test "those that run are ended with the script" {
    cd "$BATS_TEST_TMPDIR"
    run --separate-stderr bash -uc '. "$1/script/suite.sh"
        suite long 1 bash -c "sleep 600 & echo \$! >new && mv new pid && wait"
        until [ -f pid ]; do sleep 0.1; done
        exit 4' - "$BATS_TEST_DIRNAME/../.."
    [ "$status" = 4 ]
    for i in {1..100}; do
        kill -0 "$(cat pid)" || return 0
        sleep 0.1
    done
    return 1
}

# What tests/suites.cmake writes into a build.
listed() { # LINE...
    mkdir -p "$BATS_TEST_TMPDIR/build"
    printf '%s\n' "$@" >"$BATS_TEST_TMPDIR/build/suites"
}

@test "a list of a build: its suites, their least counts and settings" {
    listed "units|one|1|1|FALSE|A=x;B=y z|sh;-c;echo \"ok 1 - \$A \$B # SKIP \$A\$B\" && echo 1..1" \
        "units:3 other|two|1|1|TRUE||printf;ok 1 - a\\n1..1\\n" \
        "others|three|1|1|FALSE||false"
    suites "suites units it: '$BATS_TEST_TMPDIR/build'"
    [ "$status" = 1 ]
    [[ ${lines[0]} == "suite it: one: 0 passed, 0 failed, 1 skipped, "* ]]
    [ "${lines[1]}" = "not ok - it: two: exit 0, planned 1, ran 1, at least 3 expected" ]
    [[ $output == *"skipped: it: one: x y z: xy z"* ]]
    [[ $output != *three* ]]
}

@test "a list run several times by a runner, and the share that has its turn" {
    listed "units|one|2|7|FALSE||sh;-c;echo \"ok 1 - \${GPUFILTER_TEST_SLICE:-all} # SKIP no\" && echo 1..1"
    suites "again() { shift; \"\$@\"; \"\$@\"; }; suites units a '$BATS_TEST_TMPDIR/build' 1 again x
        suites units b '$BATS_TEST_TMPDIR/build'
        GPUFILTER_TEST_WHOLE=1 suites units c '$BATS_TEST_TMPDIR/build'
        GPUFILTER_TEST_SLICE=5/9 suites units d '$BATS_TEST_TMPDIR/build'"
    [[ $output == *"skipped: a one: all: no"* ]]
    [[ $output =~ "skipped: b one: "[0-6]"/7: no" ]]
    [[ $output == *"skipped: c one: all: no"* ]]
    [[ $output == *"skipped: d one: 5/9: no"* ]]
    suites "suite_turn 7; suite_ahead=1 suite_turn 7"
    [ $(((${lines[0]%/7} + 1) % 7)) = "${lines[1]%/7}" ]
    suites 'git() { echo "$count"; }; for count in {0..11}; do suites_part=3 suites units "" '"'$BATS_TEST_TMPDIR/build'"'; done'
    [ "$(grep -c '^skipped: one: [0-6]/7: no$' <<<"$output")" = 4 ] # and no share twice
}

@test "one suite for ctest: counts, what is not installed, and all skipped" {
    run=$BATS_TEST_DIRNAME/../../script/run-suite
    "$run" name 1 1 printf 'ok 1 - a\n1..1\n'
    run ! "$run" name 2 1 printf 'ok 1 - a\n1..1\n'
    [[ $output == *"at least 2 expected"* ]]
    run -77 "$run" name 1 1 printf 'ok 1 - a # SKIP no device\n1..1\n'
    [[ $output == *"skipped: name: a: no device"* ]]
    run -77 "$run" name 1 1 no-such-program
    GPUFILTER_TEST_SLICE='' "$run" name 1 9 sh -c '[ "$GPUFILTER_TEST_SLICE" = 0/9 ] && echo "ok 1 - x" && echo 1..1'
}
