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
    keeps 2 "--report and a picture that a stage reads are both top.npy" in -o out --stages blend:@top.npy,stats --report top.npy
    keeps 2 "--journal and a file of numbers are both kernel.npy" in -o out --stages conv:@kernel.npy --journal kernel.npy
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
    keeps 2 "in/a.npy and in/b.npy would both be written to out/b.npy" in -o out --stages invert
    ln -s ../in/c.npy out/target.npy
    rm out/b.npy
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
    keeps 2 "the output of in/a.npy would replace in/a.npy, which is that input, by a link" \
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

@test "a journal is a file that is absent, empty, or begins with a line of one" {
    echo 'my notes' >notes
    gf batch in --stages stats --progress json >log
    gf batch in --stages stats --report r.jsonl -q
    cp in/a.npy photo.npy
    for file in notes log r.jsonl photo.npy; do
        for resume in "" --resume; do
            keeps 2 "--journal $file: is another file: it does not begin with a line of a journal" in -o out --stages invert --journal $file $resume
        done
    done
    : >empty
    works batch in/a.npy -o out --stages invert --journal empty
    tail -c 30 empty >tail
    keeps 2 "--journal tail: is another file: it does not begin with a line of a journal" in -o out --stages invert --journal tail --resume
    head -c 30 empty >cut # all that a power cut has left of the first
    works batch in -o out --stages invert --journal cut --resume
    works batch in -o out --stages invert --journal cut --resume --progress json
    [ "$(jq -c 'select(.summary).summary | [.done, .skipped]' <<<"$output")" = "[0,4]" ]
}

@test "an output of another size than the journal has is done again; a journal without sizes is read" {
    works batch in -o out --stages invert --journal j
    [ "$(jq -r 'select(.input == "in/b.npy" and .status == "done").output_size' j)" = "$(stat -c %s out/b.npy)" ]
    cp out/b.npy whole.npy
    : >out/b.npy
    truncate -s +1 out/c.npy
    works batch in -o out --stages invert --journal j --resume --progress json
    [ "$(jq -r 'select(.status == "done").input' <<<"$output" | sort | tr '\n' ' ')" = "in/b.npy in/c.npy " ]
    cmp out/b.npy whole.npy
    sed -i 's/"output_size":[0-9]*,//' j
    : >out/b.npy
    works batch in -o out --stages invert --journal j --resume --progress json
    [ "$(jq -c 'select(.summary).summary | [.done, .skipped]' <<<"$output")" = "[0,4]" ]
    works batch in --stages stats --journal j2
    works batch in --stages stats --journal j2 --resume --progress json
    [ "$(jq -c 'select(.summary).summary | [.done, .skipped]' <<<"$output")" = "[0,4]" ]
}

@test "-o that is no folder, and templates that name no file, are refused at once" {
    for option in "" --dry-run; do
        keeps 2 "-o out/{dir}: names a folder, not a file in it, as {name} at the end does" in -o 'out/{dir}' --stages invert $option
        keeps 2 "-o {folder}: names a folder, not a file in it, as {name} at the end does" in -o '{folder}' --format png --stages invert $option
        keeps 2 "-o out/{name}/: names a folder, not a file in it, as {name} at the end does" in -o 'out/{name}/' --stages invert $option
        keeps 2 "-o out/{stem}: no suffix tells the format, as .{ext} at the end does, or --format png" in -o 'out/{stem}' --stages invert $option
        keeps 2 "-o out/q.png: is the name of a picture; that of a folder to be made ends with '/'" in -o out/q.png --stages invert $option
        keeps 2 "-o names: is a file; the outputs of a batch go to a folder, or a template" in -o names --stages invert $option
    done
    works batch in -o 'out/{stem}' --format png --stages invert
    [ -f out/a ]
    works batch in -o q.png/ --stages invert
    works batch in -o q.png --stages invert
    [ -f q.png/a.npy ]
}

@test "no name leads out of the folder of a template" {
    local name
    cp in/a.npy '...npy'
    cp in/a.npy '..npy'
    mkdir deep
    cp in/a.npy 'deep/...npy'
    for template in 'out/{stem}/t.npy' 'out/{stem}/{ext}.npy' '{folder}/{stem}/t.npy'; do
        keeps 2 "...npy: its name would make '..' of a part of a template" ...npy -o "$template" --stages invert
    done
    keeps 2 "..npy: its name would make '..' of a part of a template" ..npy -o 'out/{stem}{stem}/t.npy' --stages invert
    keeps 2 "deep/...npy: its name would make '..' of a part of a template" deep/...npy -o '{folder}/{stem}/t.npy' --stages invert
    keeps 2 "...npy: its name would make '..' of a part of a template" ...npy --stages gray,points --table 'out/{stem}/t.csv'
    printf '%s\n' ...npy in/a.npy | { ! gf batch --from - -o 'out/{stem}/t.npy' --stages invert --progress json >lines 2>/dev/null; }
    [ "$(jq -rs 'map(select(.input) | .input + " " + .status) | sort | join(",")' lines)" = "...npy failed,in/a.npy done" ]
    [ ! -e t.npy ]
    works batch ...npy ..npy -o out --stages invert
    works batch deep/../in/a.npy -o '{folder}/../up/{stem}.npy' --stages invert
    [ -f out/...npy ]
    [ -f up/a.npy ]
}

@test "what is not taken is counted and named by suffix; a folder that is not there is an error of the whole" {
    touch in/x.xcf in/y.jxl in/z.jxl in/README in/w.psd
    works batch in -o out --stages invert --progress json
    err_is "note: 5 files not taken, as no format that is read has the suffix: none, psd, xcf, jxl"
    [ "$(jq -c 'select(.summary).summary | [.done, .not_taken, .suffixes]' <<<"$output")" = '[4,5,["none","psd","xcf","jxl"]]' ]
    works batch in -o out --stages invert -q
    [ -z "$stderr" ]
    works batch in -o out --stages invert --glob '*.npy' --progress json
    [ -z "$stderr" ]
    [ "$(jq -c 'select(.summary).summary | [.not_taken, .suffixes]' <<<"$output")" = "[5,[]]" ]
    keeps 3 "photos: no such file or folder" photos -r -o small --stages resize:800x
    keeps 3 "photos/: no such file or folder" in photos/ -r -o small --stages resize:800x
    rm in/*.npy
    fails 3 batch in -o out --stages invert
    err_is "note: 5 files not taken, as no format that is read has the suffix: none, psd, xcf, jxl"
    err_has "there is no picture among the inputs: no file of the folders has a name that is wanted; -r looks into the folders below, too"
}

@test "a folder below that cannot be looked at is named and has failed" {
    local command=("$GPUFILTER_BIN") path=$PWD deep=in i
    for ((i = 0; i < 18; i++)); do deep+=/$(printf '%0250d' 0); done
    (for ((i = 0; i < 18; i++)); do mkdir -p "$(printf '%0250d' 0)" && cd "$(printf '%0250d' 0)"; done) 2>/dev/null || true
    rm -rf "$(printf '%0250d' 0)"
    (cd in && for ((i = 0; i < 18; i++)); do mkdir "$(printf '%0250d' 0)" && cd "$(printf '%0250d' 0)"; done)
    run --separate-stderr -8 "$GPUFILTER_BIN" batch in -r -o out --stages invert --progress off
    err_is "error: 1 of 5 files failed:"
    err_has "cannot look at it: File name too long"
    find in -depth -mindepth 1 -type d -execdir rmdir {} +
    if [ "$(id -u)" = 0 ]; then # to whom every folder is open
        command -v setpriv >/dev/null || skip "root may read every folder, and there is no setpriv"
        command=(setpriv --reuid 61357 --regid 61357 --clear-groups "$GPUFILTER_BIN")
        (cd / && "${command[@]}" --version) >/dev/null || skip "root may read every folder, and no other can run the program"
    fi
    mkdir -p m/sub
    cp in/a.npy m/sub
    cp in/a.npy m/e.npy
    chmod 755 . in
    mkdir -m 777 out2
    while [ "$path" != / ]; do chmod a+x "$path" 2>/dev/null || true; path=$(dirname "$path"); done
    chmod 444 m
    run --separate-stderr -8 "${command[@]}" batch in m -r -o out2 --stages invert --progress off
    chmod 755 m
    err_is "error: 2 of 6 files failed:"
    err_has "  m/sub: cannot look at it: Permission denied"
    err_has "  m/e.npy: "
}

@test "names are no formulas in CSV, and one that is too long is not repeated" {
    for name in =1 +1 -1 @x '=a,"b'; do cp in/a.npy "./$name.npy"; done
    find . -maxdepth 1 -name '*.npy' -printf '%f\n' >list
    works batch --from list --stages gray,points,stats --report r.csv --table t.csv
    [ "$(tail -n +2 r.csv | cut -c -7 | sort -u | tr '\n' '|')" = '"./=a,"|./+1.np|./-1.np|./=1.np|./@x.np|' ] || { sort -u r.csv | head -20; false; }
    ! grep -E '^"?[=+@-]' r.csv t.csv
    works batch in/a.npy --stages stats --report r.csv
    [ "$(tail -n 1 r.csv | cut -d, -f1)" = in/a.npy ]
    { head -c 30000 /dev/zero | tr '\0' y; echo .npy; } >list
    run --separate-stderr -8 "$GPUFILTER_BIN" batch --from list -o out --stages invert --progress json
    err_has "yyy...: no file has a name of more than 4095 bytes"
    [ ${#stderr} -lt 400 ]
    [ ${#output} -lt 800 ]
}
