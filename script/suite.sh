# Sourced by script/test and script/test-gpu: runs TAP programs, adds up, prints the closing line.
#
#   suite NAME LEAST COMMAND...   runs COMMAND, which prints TAP; fewer than LEAST cases is a failure
#   suite_end                     prints skips with their reasons, then "N passed, N failed, N skipped"

passed=0
failed=0
skipped=0
skips=
log_dir=$(mktemp -d)
trap 'rm -rf "$log_dir"' EXIT

suite() {
    suite_name=$1
    suite_least=$2
    shift 2
    suite_log=$log_dir/$(echo "$suite_name" | tr ' /' '__')
    suite_start=$(date +%s)
    suite_status=0
    "$@" >"$suite_log" 2>"$suite_log.err" </dev/null || suite_status=$?
    suite_skip=$(grep -Ec '^ok .*# (SKIP|skip)' "$suite_log")
    suite_ok=$(($(grep -c '^ok ' "$suite_log") - suite_skip))
    suite_bad=$(grep -c '^not ok ' "$suite_log")
    suite_count=$((suite_ok + suite_bad + suite_skip))
    suite_plan=$(sed -n 's/^1\.\.\([0-9]*\).*/\1/p' "$suite_log" | tail -n 1)
    if [ "$suite_bad" = 0 ]; then
        if [ "$suite_status" != 0 ] || [ "${suite_plan:-none}" != "$suite_count" ] || [ "$suite_count" -lt "$suite_least" ]; then
            echo "not ok - $suite_name: exit $suite_status, planned ${suite_plan:-none}, ran $suite_count, at least $suite_least expected"
            tail -n 15 "$suite_log.err"
            suite_bad=1
        fi
    else
        grep -B 6 '^not ok ' "$suite_log" | grep -E '^(#|not ok)' | head -n 60
        tail -n 15 "$suite_log.err"
    fi
    skips="$skips$(sed -n "s|^ok [0-9]* [- ]*\(.*\) # [Ss][Kk][Ii][Pp] *\(.*\)|skipped: $suite_name: \1: \2|p" "$suite_log")
"
    passed=$((passed + suite_ok))
    failed=$((failed + suite_bad))
    skipped=$((skipped + suite_skip))
    echo "suite $suite_name: $suite_ok passed, $suite_bad failed, $suite_skip skipped, $(($(date +%s) - suite_start)) s"
}

suite_end() {
    echo "$skips" | grep -v '^$' | sort -u
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" = 0 ]
}
