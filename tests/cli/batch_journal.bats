# gpufilter batch --journal, --resume: what was done stays done, whenever it was ended.
load common

setup() {
    : "${GPUFILTER_BIN:?name the program}"
    unset GPUFILTER_DEVICE GPUFILTER_THREADS GPUFILTER_MEMORY
    mkdir "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
}

# N pictures of noise, WIDTH x WIDTH.
noise() { # N WIDTH
    local i
    mkdir in
    for ((i = 1; i <= $1; i++)); do
        npy "in/n$(printf %02d "$i").npy" '|u1' "$2, $2" < <(head -c $(($2 * $2)) /dev/urandom)
    done
}

go() { # words...
    run --separate-stderr "$GPUFILTER_BIN" batch in -o out --journal j --progress json "$@"
}

# How many files ended in each way: "done skipped failed".
ended() {
    jq -c 'select(.summary).summary | [.done, .skipped, .failed]' <<<"$output"
}

@test "what is done with the same plan and an unchanged input is left out" {
    noise 4 20
    go --stages invert
    [ "$(ended)" = "[4,0,0]" ]
    go --stages invert --resume
    [ "$status" = 0 ]
    [ "$(ended)" = "[0,4,0]" ]
    touch -d '2001-01-01' in/n02.npy
    go --stages invert --resume
    [ "$(ended)" = "[1,3,0]" ]
    head -c 400 /dev/zero | npy in/n03.npy '|u1' "20, 20"
    rm out/n04.npy
    go --stages invert --resume
    [ "$(ended)" = "[2,2,0]" ]
    [ -f out/n04.npy ]
    go --stages invert,invert --resume
    [ "$(ended)" = "[4,0,0]" ]
    go --stages invert,invert --resume
    [ "$(ended)" = "[0,4,0]" ]
    for options in "--depth u16" "--format png" "--compute f32" "--alpha none" "--format png --png-level 3"; do
        go --stages invert,invert --resume $options
        [ "$(ended)" = "[4,0,0]" ] || { echo "$options: $(ended)" && return 1; }
        go --stages invert,invert --resume $options
        [ "$(ended)" = "[0,4,0]" ]
    done
}

@test "pictures and numbers that stages read beside the input belong to the plan" {
    noise 2 20
    cp in/n01.npy top.npy
    go --stages blend:@top.npy
    go --stages blend:@top.npy --resume
    [ "$(ended)" = "[0,2,0]" ]
    cp in/n02.npy top.npy
    go --stages blend:@top.npy --resume
    [ "$(ended)" = "[2,0,0]" ]
}

@test "a journal that is there needs --resume, and a name that cannot be is refused" {
    noise 1 20
    go --stages invert
    go --stages invert
    [ "$status" = 2 ]
    err_is "error: --journal j: there is one already: --resume goes on from it; remove it to do all again"
    fails 4 batch in -o out --stages invert --journal none/j
    err_is "error: --journal none/j: No such file or directory"
    fails 2 batch in -o out --stages invert --journal -
    fails 2 batch in -o out --stages invert --journal in/n01.npy --report in/n01.npy
}

@test "lines have the input, its size and time, the plan, the output, and how it ended" {
    noise 2 20
    echo spoilt >in/x.npy
    go --stages invert
    [ "$status" = 8 ]
    [ "$(jq -r 'select(.status == "done") | .input + " " + .output + " " + (.size | tostring)' j | sort | head -n 1)" = \
        "in/n01.npy out/n01.npy $(stat -c %s in/n01.npy)" ]
    [ "$(jq -r 'select(.input == "in/n01.npy" and .status == "done").mtime' j)" = "$(stat -c %.9Y in/n01.npy)" ]
    [ "$(jq -r .plan j | sort -u | wc -l)" = 1 ]
    [ "$(jq -r 'select(.status == "failed").error' j)" = "$(jq -r 'select(.status == "failed").error' <<<"$output")" ]
    [ "$(jq -r 'select(.input == "in/n02.npy" and .status == "writing").file' j)" = "$(stat -c %d:%i out/n02.npy)" ]
}

@test "what failed is not tried again, but by --retry-failed" {
    noise 2 20
    echo spoilt >in/x.npy
    go --stages invert
    count=$(wc -l <j)
    go --stages invert --resume
    [ "$status" = 8 ]
    [ "$(ended)" = "[0,2,1]" ]
    err_has "--retry-failed tries again"
    [ "$(wc -l <j)" = "$count" ]
    go --stages invert --retry-failed
    [ "$status" = 8 ]
    [ "$(ended)" = "[0,2,1]" ]
    [ "$(wc -l <j)" = $((count + 1)) ]
    cp in/n01.npy in/x.npy
    go --stages invert --resume
    [ "$status" = 0 ]
    [ "$(ended)" = "[1,2,0]" ]
}

@test "two batches on one journal: the second is refused" {
    mkfifo pipe
    "$GPUFILTER_BIN" batch --from - -o out --stages invert --journal j --progress off <pipe &
    pid=$!
    exec 7>pipe
    for ((i = 0; i < 200; i++)); do [ ! -e j ] || break; sleep 0.02; done
    sleep 0.2
    noise 1 20
    fails 4 batch in -o out --stages invert --journal j --resume
    err_is "error: --journal j: another batch is using it; let it end, or give each its own, as with '{shard}' in the name"
    exec 7>&-
    wait $pid
    works batch in -o out --stages invert --journal j --resume
}

@test "names of any bytes come back from the journal" {
    noise 3 20
    mv in/n01.npy "in/a \"b\" \\c.npy"
    mv in/n02.npy "in/$(printf 'new\nline\x01\xff\xfe').npy"
    mv in/n03.npy "in/žluť.npy"
    go --stages invert
    [ "$(ended)" = "[3,0,0]" ]
    go --stages invert --resume
    [ "$(ended)" = "[0,3,0]" ]
}

@test "in place: what is done is not done again" {
    noise 3 20
    cp -r in before
    run --separate-stderr -0 "$GPUFILTER_BIN" batch in -o in --stages invert --journal j --progress json
    run --separate-stderr -0 "$GPUFILTER_BIN" batch in -o in --stages invert --journal j --progress json --resume
    [ "$(ended)" = "[0,3,0]" ]
    for f in before/*; do
        gf -q "$f" one.npy --stages invert
        cmp one.npy "in/${f#before/}"
    done
}

@test "a line that was cut says nothing, and the next one stands by itself" {
    noise 2 20
    go --stages invert
    truncate -s -9 j
    go --stages invert --resume
    [ "$status" = 0 ]
    [ "$(ended)" = "[0,2,0]" ] # the line before says which file was about to appear, and it is there
    [ "$(grep -c '"status":"done".*}$' j)" = 2 ]
    echo '{"input":"in/n01.npy","size":' >>j
    printf '{"input":"in/n01.npy","status":"failed"' >>j
    go --stages invert --resume
    [ "$(ended)" = "[0,2,0]" ]
}

@test "a report goes on behind its last whole line" {
    noise 3 20
    run --separate-stderr -0 "$GPUFILTER_BIN" batch in/n01.npy in/n02.npy --stages stats --journal j --report r.csv
    count=$(wc -l <r.csv)
    printf 'in/n02.npy,stats,0,,me' >>r.csv
    run --separate-stderr -0 "$GPUFILTER_BIN" batch in --stages stats --journal j --report r.csv --resume
    [ "$(wc -l <r.csv)" = $((count + (count - 1) / 2)) ]
    [ "$(cut -d, -f1 r.csv | sort -u | tr '\n' ' ')" = "in/n01.npy in/n02.npy in/n03.npy input " ]
    ! grep -v '^in.*,.*,.*,.*,.*,.*,.*,.*$' r.csv
}

# The batch is killed at a moment drawn at random, as often as asked, and goes on from its journal. A file that was there
# whole is never written again; none is half.
@test "SIGKILL at random moments, then --resume: the same tree, no file twice and none half" {
    local moments=10 i f t tries
    [ -z "${GPUFILTER_TEST_WHOLE:-}" ] || moments=100
    noise 24 160
    works batch in -o expected --format png --stages blur:3,equalize --png-level 6 --progress off
    declare -A at
    for ((i = 0; i < moments; i++)); do
        rm -rf out j at.txt
        for ((tries = 1; ; tries++)); do # ever later, so that a slow program gets on, too
            "$GPUFILTER_BIN" batch in -o out --format png --stages blur:3,equalize --png-level 6 --journal j --resume --progress off \
                2>err.txt &
            pid=$!
            t=$((RANDOM % (90 * tries) + 1))
            sleep "$((t / 1000)).$(printf %03d $((t % 1000)))"
            kill -KILL $pid 2>/dev/null || true
            code=0
            wait $pid || code=$?
            for f in out/*.png; do # what is there is whole, and stays the same file
                [ -e "$f" ] || continue
                cmp "$f" "expected/${f#out/}"
                t=$(stat -c '%i %Y.%.9Y' "$f")
                [ -z "${at[$f]:-}" ] || [ "${at[$f]}" = "$t" ] || { echo "$f was written twice" && return 1; }
                at[$f]=$t
            done
            [ $code = 137 ] || break
        done
        [ $code = 0 ]
        at=()
        find out -name '.gpufilter-*' | grep . && return 1
        diff -r out expected
        # a line that was cut, as at the end of a page, says nothing
        [ "$(grep '}$' j | grep -o '"output":"[^"]*","status":"done"' | sort | uniq -d | wc -l)" = 0 ]
        [ "$(grep -c '"status":"done".*}$' j)" = 24 ]
    done
}

@test "after Ctrl-C it goes on, too" {
    noise 12 400
    works batch in -o expected --format png --stages blur:3 --png-level 9 --progress off
    env --default-signal=INT "$GPUFILTER_BIN" batch in -o out --format png --stages blur:3 --png-level 9 --journal j --progress off &
    pid=$!
    for ((i = 0; i < 500; i++)); do ! compgen -G 'out/n*.png' >/dev/null || break; sleep 0.01; done
    kill -INT $pid
    code=0
    wait $pid || code=$?
    [ $code = 130 ] || [ $code = 0 ]
    works batch in -o out --format png --stages blur:3 --png-level 9 --journal j --resume --progress off
    diff -r out expected
    [ "$(jq -r 'select(.status == "done").output' j | sort | uniq -d | wc -l)" = 0 ]
}
