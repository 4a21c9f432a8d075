# script/docs: what the documents show is what the program prints and the samples say.
bats_require_minimum_version 1.5.0

setup() {
    root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    cd "$BATS_TEST_TMPDIR"
    cp -r "$root/script" "$root/docs" .
    mkdir -p samples pipeline/plan
    : >samples/sample.png
    printf '%s\n' 'static int other(void)' '{' '    return 2;' '}' '' 'static int *part(int x)' '{' '    return x;' '}' >samples/embed.c
    printf '%s\n' '#!/bin/sh' 'echo "I got $*" && echo; ls samples/sample.png in.png build/gpufilter 2>/dev/null' : >program
    chmod +x program
    export GPUFILTER_BIN=$PWD/program
}

page() { # LINE...: README.md
    printf '%s\n' "$@" >README.md
}

@test "outputs are renewed, comments stay, with a line in front; a second time changes nothing" {
    page before '```console' '# One.' '$ gpufilter a b' old '# Two.' '$ build/gpufilter c' '```' '' '```sh' 'gpufilter x' '```' after
    script/docs
    printf '%s\n' before '```console' '# One.' '$ gpufilter a b' 'I got a b' '' build/gpufilter in.png samples/sample.png '' \
        '# Two.' '$ build/gpufilter c' 'I got c' '' build/gpufilter in.png samples/sample.png '```' '' '```sh' 'gpufilter x' \
        '```' after >expected
    diff expected README.md
    run script/docs
    [[ $output != *README* ]]
    diff expected README.md
}

@test "a function that is named is shown as it is in the sample; other code stays" {
    page '<!-- script/docs: part() of samples/embed.c -->' '```c' old '```' '```c' mine '```'
    script/docs
    printf '%s\n' '<!-- script/docs: part() of samples/embed.c -->' '```c' 'static int *part(int x)' '{' '    return x;' '}' \
        '```' '```c' mine '```' >expected
    diff expected README.md
}

@test "--check: says what is out of date, writes nothing" {
    page '```console' '$ gpufilter a' '```'
    cp README.md kept
    run script/docs --check
    [ "$status" = 1 ]
    [[ $output == *"docs: README.md is out of date: run script/docs"* ]]
    cmp README.md kept
    script/docs
    run script/docs --check
    [[ $output != *README* ]]
}

commit() { # a change of what is measured
    mkdir -p kernels/pixel
    echo "$1" >kernels/pixel/a.c
    git add -A
    git -c user.name=a -c user.email=a@b commit -qm "$1"
    git rev-parse --short HEAD
}

logs() { # LIMIT COMMIT: a page of one log
    rm docs/measured/*
    : >docs/measured/one.csv
    printf '%s\n' "| \`one.csv\` | \`$2\` | today | H200 | kernels/pixel | x |" "when more than $1 commits have" >docs/measured/README.md
}

@test "--logs: a log is too old when more commits than its page allows have changed what it measures" {
    git init -q .
    old=$(commit first)
    commit second
    commit third
    logs 2 "$old"
    run script/docs --logs
    [ "$status" = 0 ]
    [[ $output == "one.csv: 2 of 2 commits to kernels/pixel since $old" ]]
    logs 1 "$old"
    run script/docs --logs
    [ "$status" = 1 ]
    [[ $output == *"one.csv is of $old: 2 commits have changed kernels/pixel since, docs/measured/README.md allows 1"* ]]
    logs 1 1234567
    run script/docs --logs
    [ "$status" = 1 ]
    [[ $output == *"there is no commit '1234567'"* ]]
    logs 2 "$old"
    : >docs/measured/two.csv
    run script/docs --logs
    [ "$status" = 1 ]
    [[ $output == *"has no line of two.csv"* ]]
}

@test "--logs: without history ages are unknown, and that is said" {
    run script/docs --logs
    [ "$status" = 0 ]
    [[ $output == *"is unknown: this is no clone with its whole history" ]]
    git init -q there
    (cd there && cp -r ../script ../docs . && commit first && commit second)
    git clone -q --depth 1 "file://$PWD/there" shallow
    run shallow/script/docs --logs
    [ "$status" = 0 ]
    [[ $output == *"is unknown: this is no clone with its whole history" ]]
}

@test "--check: a table of benchmarks names its commit and machine, and that of the log that it is made of" {
    page nothing
    run script/docs --check
    [[ $output != *benchmarks.md:* ]]
    printf '%s\n' '# A' '' 'Of `1234abc`.' '' '| a |' '|---|' >>docs/benchmarks.md
    run script/docs --check
    [ "$status" = 1 ]
    [[ $output == *"benchmarks.md:"*"the text before this table names no commit, as \`1234abc\`, or no machine"* ]]
    sed -i 's/^Of `1234abc`\.$/Of `1234abc`, on an H200./' docs/benchmarks.md
    run script/docs --check
    [[ $output != *benchmarks.md:* ]]
    sed -i '/h200.csv/s/| `[0-9a-f]*` |/| `1234abc` |/' docs/measured/README.md
    run script/docs --check
    [ "$status" = 1 ]
    [[ $output == *"the text before this table is of h200.csv, whose commit is \`1234abc\`"* ]]
}

@test "a shared parameter is said once, with the stages where it is something else; stages name those that they take" {
    page nothing
    sed -i '/^<!-- script\/docs writes all below -->$/q' docs/stages.md
    cat >program <<'EOF'
#!/bin/sh
case "$*" in
list) printf '%s\n' point 'a  does a' 'b  does b' 'c  does c' ;;
'help a') printf '%s\n' 'a: does a' '' 'Parameters that stages share (more)' '  roi        here' '             WxH' '  name       text' '' Source '  a book' ;;
'help b') printf '%s\n' 'b: does b' '' 'Parameters that stages share (more)' '  roi        there' '  name       text' '' Source '  b book' ;;
'help c') printf '%s\n' 'c: does c' '' Source '  c book' ;;
esac
EOF
    script/docs || true # there are pictures of other stages
    sed '1,/^## Shared parameters$/d' docs/stages.md >made
    [ "$(grep -c '  name       text' made)" = 1 ]
    grep -qx '             WxH' made
    grep -qx 'But of `b`:' made
    grep -qx 'It also takes \[roi, name\](#shared-parameters).' made
    [ "$(grep -c 'It also takes' made)" = 2 ]
    [ "$(grep -c ' book$' made)" = 3 ]
    ! grep -q 'Parameters that stages share' made
}

@test "the course: its figures are those of its tables, and its links lead to kernels" {
    "$root/script/course" --check
    ln -s "$root/kernels" "$root/samples" "$root/tests" "$root/pipeline" . 2>/dev/null || true
    page=docs/primitives/scan.md
    sed -i 's/^| 2\. `naive`\(.*\)| 8300 |$/| 2. `naive`\1| 8400 |/; s/`gf_scan_hillis_steele`/`gf_scan_hillis`/; s/scan_pass_cuda.cuh/scan_past.cuh/' $page
    run script/course --check
    [ "$status" = 1 ]
    [[ $output == *"docs/images/steps/scan.svg is out of date: run script/course"* ]]
    [[ $output == *"$page: scan_block_cuda.cu has no \`gf_scan_hillis\`"* ]]
    [[ $output == *"$page: there is no ../../kernels/array/scan/scan_past.cuh"* ]]
    script/course
    grep -q '>8400</text>' docs/images/steps/scan.svg
}

@test "the course: every primitive that says it has steps has them, with a figure, and the course leads there" {
    while read -r name; do
        grep -q '^## From naive to fast' "docs/primitives/$name.md"
        grep -q "^!\[.*\](../images/steps/$name.svg)" "docs/primitives/$name.md"
        grep -q "^| \[.*(primitives/$name.md#from-naive-to-fast" docs/course.md
    done < <(sed -n 's/^    {"[a-z0-9_]*", "\([a-z0-9_]*\)", true,.*/\1/p' "$root/pipeline/cli/help/other_words.c" | tee names)
    [ "$(wc -l <names)" = "$(find docs/images/steps -name '*.svg' | wc -l)" ]
}
