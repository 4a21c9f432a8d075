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
