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
