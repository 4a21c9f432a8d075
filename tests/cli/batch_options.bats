# gpufilter batch: options of single runs that make more than one picture of each input, or another pipeline of it.
load common

# Colour, gray and JPEG, all of other sizes.
different() {
    mkdir in
    gf -q "$BATS_TEST_DIRNAME/../../samples/sample.png" in/a.png --stages crop:200x100+10+10,pad:7
    gf -q "$BATS_TEST_DIRNAME/../../samples/sample.png" in/b.png --stages crop:150x100+50+30,gray,pad:20
    gf -q "$BATS_TEST_DIRNAME/../../samples/sample.png" in/c.jpg --stages crop:640x400+1+2
    gf -q in/a.png in/d.png --stages pad:3
}

# The same options, picture by picture, into one/.
one_by_one() { # OPTION...
    local f
    rm -rf one
    mkdir one
    for f in in/*; do gf -q "$f" "one/${f#in/}" "$@" >/dev/null; done
}

@test "trim looks at each picture: the bytes of single runs" {
    different
    cp in/a.png in/again.png
    for stages in trim blur:2,trim,resize:50% gray,trim,trim:tolerance=20u8; do
        one_by_one --stages $stages
        rm -rf many
        works batch in -q -o many --stages $stages
        diff -r one many
    done
    one_by_one --stages trim --compute f32 --depth u8
    works batch in -q -o many --stages trim --compute f32 --depth u8 --journal j
    diff -r one many
    works batch in -o many --stages trim --compute f32 --depth u8 --journal j --resume --progress json
    [ "$(jq -c 'select(.summary) | .summary | [.done, .skipped]' <<<"$output")" = "[0,5]" ]
    [ "$(gf batch in --stages trim,stats --progress json | jq -r 'select(.input == "in/a.png").results[0].count[0]')" = \
        "$(gf in/a.png --stages trim,stats --report - | jq '.results[0].count[0]')" ]
    one_by_one --stages trim,invert
    works batch in -q -o small --stages trim,invert --memory 200K
    diff -r one small
    mkfifo in/pipe.png
    run --separate-stderr -8 "$GPUFILTER_BIN" batch in/a.png in/pipe.png -o many --stages trim --progress off
    err_has "in/pipe.png: is a pipe, device or socket, and a batch reads only files"
    run --separate-stderr -8 "$GPUFILTER_BIN" batch in/a.png -o many --stages blend:@in/d.png,trim --progress off
    err_has "trim"
    [ ! -e many/pipe.png ]
}

@test "--fast-load reads each JPEG as a single run does" {
    different
    gf -q in/c.jpg in/e.jpg --stages flip:x
    gf -q in/c.jpg in/f.jpg --stages resize:333x222:fit=exact
    for stages in resize:20% resize:100x resize:80x50:fit=cover,blur:1; do
        one_by_one --stages $stages --fast-load
        rm -rf many slow
        works batch in -q -o many --stages $stages --fast-load
        diff -r one many
        works batch in -q -o slow --stages $stages
        ! cmp -s many/c.jpg slow/c.jpg
        cmp many/a.png slow/a.png
    done
}

@test "--fast-load and what a table is called belong to the journal's plan" {
    different
    works batch in -q -o out --stages resize:20%,gray,points:0.9 --journal j
    works batch in -o out --stages resize:20%,gray,points:0.9 --journal j --resume --fast-load --progress json
    [ "$(jq -c 'select(.summary) | .summary | [.done, .skipped]' <<<"$output")" = "[4,0]" ]
    works batch in -o out --stages resize:20%,gray,points:0.9 --journal j --resume --fast-load --progress json --table '{stem}.csv'
    [ "$(jq -c 'select(.summary) | .summary | [.done, .skipped]' <<<"$output")" = "[4,0]" ]
    works batch in -o out --stages resize:20%,gray,points:0.9 --journal j --resume --fast-load --progress json --table '{stem}.csv'
    [ "$(jq -c 'select(.summary) | .summary | [.done, .skipped]' <<<"$output")" = "[0,4]" ]
}

@test "--verify computes each picture again, and names by what" {
    different
    works batch in -o out --device cpu --stages blur:2,equalize --verify --progress json
    [ "$(jq -r 'select(.input).verified_by' <<<"$output" | sort -u)" = "$(gf -q in/a.png x.png --device cpu --stages blur:2,equalize --verify --report - | jq -r .verified_by)" ]
    err_is "gpufilter: verified: 4 of 4 files, bit for bit" || err_has "verified: 4 of 4 files, bit for bit"
    one_by_one --stages blur:2,equalize
    diff -r one out
    works batch in --stages stats --verify --report r.jsonl
    [ "$(jq -r .verified_by r.jsonl | grep -c .)" = 4 ]
    run --separate-stderr -8 "$GPUFILTER_BIN" batch in -o out2 --stages blur:2 --verify --memory 1M --progress off
    err_has "of 4 files failed:" # 1 of them where no device takes part, whose check needs more memory
    err_has "in/c.jpg: a picture that is checked is held as a whole"
    works batch in -o out3 --stages blur:2 --memory 1M --progress off
}

@test "--table: a file for each input, or the rows of all in one" {
    different
    works batch in -q -o out --stages gray,points:0.9 --table 'points=t/{dir}/{stem}.npy' --table 't/{stem}_{ext}.csv' --table all.csv
    for f in in/*; do
        gf -q "$f" one.png --stages gray,points:0.9 --table one.npy --table one.csv
        base=$(basename "${f%.*}")
        cmp one.npy "t/$base.npy"
        cmp one.csv "t/${base}_${f##*.}.csv"
        tail -n +2 one.csv | sed "s|^|$f,|" >>expected.csv
    done
    [ "$(head -n 1 all.csv)" = "input,$(head -n 1 one.csv)" ]
    diff <(tail -n +2 all.csv | sort) <(sort expected.csv)
    ! compgen -G 't/.gpufilter*'
    works batch in -o out --stages gray,points:0.9 --table '{stem}.csv' --report -
    [ "$(jq -r 'select(.input.path == "in/a.png").tables[0].file' <<<"$output")" = a.csv ]
    rm b.csv
    mkdir b.csv
    run --separate-stderr -8 "$GPUFILTER_BIN" batch in -o out4 --stages gray,points:0.9 --table '{stem}.csv' --progress off
    err_is "error: 1 of 4 files failed:"
    [ ! -e out4/b.png ]
    [ -e out4/a.png ]
}

@test "--table: rows go on with --resume, and columns must be those of the others" {
    different
    works batch in/a.png -q -o out --stages gray,points:0.7 --table all.csv --journal j
    printf 'in/b.png,1,' >>all.csv
    works batch in -q -o out --stages gray,points:0.7 --table all.csv --journal j --resume
    works batch in -q -o out --stages gray,points:0.7 --table whole.csv
    diff <(sort all.csv) <(sort whole.csv)
    [ "$(grep -c ^input all.csv)" = 1 ]
    mv in/d.png 'in/d, "d".png'
    run --separate-stderr -8 "$GPUFILTER_BIN" batch in/b.png 'in/d, "d".png' --stages profile:x --table all2.csv --progress off --threads 1
    err_has "has other columns than those in the file: a template, as {stem}.csv, makes a file for each"
    works batch 'in/d, "d".png' --stages profile:x --table all2.csv
    [ "$(sed -n 2p all2.csv | cut -c -20)" = '"in/d, ""d"".png",0,' ]
}

@test "--plot makes a chart of each; files that meet, and what cannot be one file, are refused" {
    different
    works batch in -q -o out --stages hist --plot 'p/{stem}.svg'
    for f in in/*; do
        gf -q "$f" --stages hist --plot one.svg
        cmp one.svg "p/$(basename "${f%.*}").svg"
    done
    fails 2 batch in --stages hist --plot x.svg
    err_is "error: --plot x.svg: one file cannot be that of many pictures"
    err_has "a template makes one for each, as --plot 'out/{stem}.svg'"
    fails 2 batch in --stages hist --plot -
    fails 2 batch in --stages gray,points:0.9 --table x.npy
    err_has "a .csv takes the rows of all"
    fails 2 batch in --stages gray,points:0.9 --table -
    fails 2 batch in --stages gray,points:0.9 --table '{stum}.csv'
    err_is "error: --table {stum}.csv: no part of a name is called '{stum}'"
    fails 2 batch in --stages invert --table '{stem}.csv'
    err_has "no stage of the list finds a table"
    fails 2 batch in --stages hist --plot 'x{dir}.svg'
    err_has "would both be written to x..svg"
    fails 2 batch in/a.png --stages gray,points:0.9,hist --table '{stem}.csv' --table '{stem}.csv'
    err_is "error: two files that in/a.png makes would both be a.csv"
    cp in/a.png in/x.csv
    fails 2 batch in/a.png in/x.csv --format png -o out --stages gray,points:0.9 --table '{folder}/{stem}.csv'
    err_has "of in/x.csv would replace in/x.csv, which is that input"
    fails 2 batch in --stages gray,points:0.9 --table r.csv --report r.csv
    printf 'in/a.png\nin/./a.png\n' >names
    run --separate-stderr -8 bash -c '"$GPUFILTER_BIN" batch --from - --stages hist --plot "{stem}.svg" --progress off <names'
    err_has "a.svg: another input has been given this output"
    for option in --explain --explain=json --print-pipeline=text; do
        fails 2 batch in --stages hist $option
        err_has "is of one picture: gpufilter IN --stages LIST ${option%=*}"
    done
}

# N inputs of 64 x 64 that share a few files, and the peak of memory of the command behind, in KiB.
peak_of() { # N OPTION...
    local i
    mkdir -p "many$1"
    for ((i = 0; i < $1; i++)); do echo "many$1/f$i.npy"; done | xargs -n 500 bash -c 'for f; do ln one.npy "$f"; done' links
    /usr/bin/time -f %M -o peak "$GPUFILTER_BIN" batch "many$1" -q -o "out$1" --threads 2 --stages blur:2 "${@:2}"
    rm -r "many$1" "out$1"
    cat peak
}

@test "memory stays as it is from picture to picture: a name and a line of the journal are all that is kept" {
    [ -x /usr/bin/time ] || skip "no /usr/bin/time"
    without_sanitizer
    npy one.npy '|u1' '64, 64' < <(head -c 4096 /dev/urandom)
    local few many
    few=$(peak_of 1000 --journal j1)
    many=$(peak_of 5000 --journal j2)
    echo "1000 files: $few KiB, 5000: $many KiB"
    [ $((many - few)) -lt 2500 ] # one picture in eight would be more
}
