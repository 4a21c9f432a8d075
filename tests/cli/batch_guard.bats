# gpufilter batch destroys no file: what it reads and writes is told apart before anything runs.
load common

setup() {
    : "${GPUFILTER_BIN:?name the program}"
    unset GPUFILTER_DEVICE GPUFILTER_THREADS GPUFILTER_MEMORY
    mkdir "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
    mkdir in
    for i in a b c d; do npy in/$i.npy '|u1' '2, 2' 00 10 20 $((RANDOM % 90 + 10)); done
    find in -name '*.npy' >names
    echo invert >chain
}

# Refused with CODE, a first line, and no byte changed.
keeps() { # CODE MESSAGE words...
    local before
    before=$(find . -type f -exec cksum {} + | sort; find . | sort)
    fails "$1" batch "${@:3}"
    err_is "error: $2"
    [ "$(find . -type f -exec cksum {} + | sort; find . | sort)" = "$before" ]
}

@test "a report, a journal or a table is none of the inputs, the outputs and what is read beside them" {
    ln -s in/a.npy link
    ln in/b.npy same.csv
    cp in/a.npy top.npy
    npy kernel.npy '<f4' '1, 1' 00 00 80 3f
    keeps 2 "--report in/b.npy would replace in/b.npy, which is an input" in -o out --stages stats --report in/b.npy
    keeps 2 "--report in/../link would replace in/a.npy, which is an input" in -o out --stages stats --report in/../link
    keeps 2 "--report same.csv would replace in/b.npy, which is an input" in -o out --stages stats --report same.csv
    keeps 2 "--journal in/a.npy would replace in/a.npy, which is an input" in -o out --stages invert --journal in/a.npy --resume
    keeps 2 "--table same.csv would replace in/b.npy, which is an input" in -o out --stages points --table same.csv
    keeps 2 "--report and --from are one file: ./names is names" --from names -o out --stages stats --report ./names
    keeps 2 "--journal and --from are both names" --from names -o out --stages stats --journal names --resume
    keeps 2 "--report and --pipeline are both chain" in -o out --pipeline chain --report chain
    keeps 2 "a picture that a stage reads and --report are both top.npy" in -o out --stages blend:@top.npy,stats --report top.npy
    keeps 2 "a file of numbers and --journal are both kernel.npy" in -o out --stages conv:@kernel.npy --journal kernel.npy
    keeps 2 "the output of in/a.npy and --report are one file: out/a.npy" in -o out --stages stats --report out/../out/a.npy
    keeps 2 "the output of in/a.npy and --journal are one file: out/a.npy" in -o out --stages invert --journal out/a.npy
    keeps 2 "the table or plot of in/a.npy and --report are one file: a.csv" in --stages points --table '{stem}.csv' --report a.csv
    run --separate-stderr -2 bash -c '"$GPUFILTER_BIN" batch --from - -o out --stages stats --report names <names'
    err_is "error: --report and --from are one file: names is -"
    [ "$(wc -l <names)" = 4 ]
}

@test "an output replaces nothing that the batch reads, nor another input, through links of names and folders either" {
    cp in/a.npy top.npy
    mkdir out
    keeps 2 "the output of in/a.npy and a picture that a stage reads are one file: ./top.npy" \
        in/a.npy -o './top.{ext}' --stages blend:@top.npy
    keeps 2 "the output of in/a.npy and a picture that a stage reads are one file: in/a.npy" in -o in --stages blend:@in/a.npy
    keeps 2 "the output of in/a.npy and --from are one file: ./in/../names" --from names -o './{folder}/../names' --format npy --stages invert
    ln -s ../in/b.npy out/a.npy
    keeps 2 "the output of in/a.npy would replace in/b.npy, which is another input" in -o out --stages invert
    rm out/a.npy
    cp in/a.npy in/a_x.npy
    keeps 2 "the output of in/a.npy would replace in/a_x.npy, which is another input" in -o 'new/x/../../in/{stem}_x.{ext}' --stages invert
    rm in/a_x.npy
    ln -s target.npy out/a.npy
    ln -s ./target.npy out/b.npy
    keeps 2 "in/a.npy and in/b.npy would both be written to out/b.npy, a link to out/./target.npy" in -o out --stages invert
    ln -s ../in/c.npy out/target.npy
    keeps 2 "the output of in/a.npy would replace in/c.npy, which is another input" in -o out --stages invert
    rm -r out
    ln -s a.npy in/zz.npy
    keeps 2 "the output of in/zz.npy would replace in/a.npy, which is another input" in -o in --stages invert
    works batch in -o out --stages invert # each is read, and none is written twice
    cmp out/a.npy out/zz.npy
}

@test "an output that is its own input: by the same name it is in place, by a link from elsewhere it is refused" {
    mkdir out
    for i in a b c d; do ln -s ../in/$i.npy out/$i.npy; done
    keeps 2 "the output of in/a.npy is out/a.npy, a link to out/../in/a.npy, which would replace the input through a link" \
        in -o out --stages invert
    mkdir links
    ln -s ../in/a.npy links/a.npy
    gf -q in/a.npy one.npy --stages invert
    works batch links -o links --stages invert
    [ -L links/a.npy ]
    cmp in/a.npy one.npy
    ln -s in folder
    gf -q in/b.npy one.npy --stages invert
    works batch in -o folder --stages invert
    cmp in/b.npy one.npy
}

@test "files with two names stay apart: an output is renamed into its place, and the other name keeps what it had" {
    ln in/a.npy in/e.npy
    mkdir out
    ln in/b.npy out/a.npy
    cp in/b.npy before.npy
    gf -q in/a.npy one.npy --stages invert
    works batch in -o out --stages invert
    cmp in/b.npy before.npy
    cmp out/a.npy one.npy
    works batch in -o in --stages invert
    cmp in/a.npy one.npy
    cmp in/e.npy one.npy
}

@test "names of --from -: an output is no other file of the batch, whether or not it was there" {
    ln -s a.npy in/l.npy
    printf '%s\n' in/a.npy in/l.npy in/./b.npy in/b.npy |
        { ! gf batch --from - -o '{folder}/{name}' --stages invert --progress json >lines 2>/dev/null; }
    [ "$(jq -rs 'map(select(.input) | .input + " " + .status) | sort | join(",")' lines)" = \
        "in/./b.npy done,in/a.npy done,in/b.npy failed,in/l.npy failed" ]
    printf '%s\n' in/c.npy r.jsonl in/./c.npy | { ! gf batch --from - -o 'new/deep/{name}' --stages stats --report r.jsonl --progress off 2>err; }
    grep -q "r.jsonl: --report r.jsonl would replace r.jsonl, which is an input" err
    grep -q "in/./c.npy: new/deep/c.npy: another input has been given this output" err
    [ "$(wc -l <r.jsonl)" = 1 ]
}
