# gpufilter batch: many pictures in one process. tests/cli/batch_journal.bats has what it is to go on after an end,
# tests/cli/batch_shard.bats its parts.
load common

# N files of 6 x 5 gray, in folder DIR: p01.npy and on, all different.
pictures() { # DIR N
    local i
    mkdir -p "$1"
    for ((i = 1; i <= $2; i++)); do
        npy "$1/p$(printf %02d "$i").npy" '|u1' '5, 6' < <(head -c 30 < <(yes "$1$i" | tr -d '\n' | tr 'a-z' '0-9'))
    done
}

# Each file of one folder is in the other with the same bytes.
same_tree() { # A B
    diff -r "$1" "$2"
}

@test "a batch gives the bytes of single runs, whatever stages and formats" {
    local stages format f
    mkdir in
    gf -q "$BATS_TEST_DIRNAME/../../samples/sample.png" in/rgb.png --stages crop:64x40+10+20
    gf -q in/rgb.png in/gray.png --stages gray
    gf -q in/rgb.png in/photo.jpg
    gf -q in/rgb.png in/deep.png --depth u16
    gf -q in/rgb.png in/float.npy --depth f32
    gf -q in/rgb.png in/more.ppm
    for stages in blur:2,contrast:1.5 threshold:otsu equalize,sobel median:2 flip:y resize:50% blur:2:border=wrap gray,dct,idct; do
        for format in png npy ""; do
            [ -n "$format" ] || [ "$stages" = median:2 ] || continue
            rm -rf one many
            mkdir one
            for f in in/*; do
                gf -q "$f" "one/$(basename "${f%.*}").${format:-${f##*.}}" --stages "$stages"
            done
            gf batch in -q -o many --stages "$stages" ${format:+--format $format}
            diff -r one many
        done
    done
}

@test "options stand for each picture" {
    mkdir in
    gf -q "$BATS_TEST_DIRNAME/../../samples/sample.png" in/a.png --stages crop:64x40+10+20
    gf -q in/a.png in/b.jpg
    for options in "--depth u16 --format png" "--compute f32" "--format jpg --quality 50" "--png-level 9 --format png" \
        "--format png --input top=in/a.png --stages blend:top:amount=0.5"; do
        rm -rf one many
        mkdir one
        for f in a.png b.jpg; do
            format=$(sed -n 's/.*--format \([a-z]*\).*/\1/p' <<<"$options")
            gf -q in/$f one/${f%.*}.${format:-${f#*.}} --stages blur:2 $options
        done
        works batch in -q -o many --stages blur:2 $options
        diff -r one many
    done
}

@test "folders: files of formats that are read, without hidden ones; -r takes the folders below" {
    pictures in 3
    pictures in/sub/deep 2
    echo text >in/notes.txt
    cp in/p01.npy in/.hidden.npy
    works batch in -o out --stages invert
    [ "$(cd out && find . -type f | sort | tr '\n' ' ')" = "./p01.npy ./p02.npy ./p03.npy " ]
    works batch in -r -o out2 --stages invert
    [ "$(cd out2 && find . -type f | sort | tr '\n' ' ')" = "./p01.npy ./p02.npy ./p03.npy ./sub/deep/p01.npy ./sub/deep/p02.npy " ]
    works batch in -r -o out3 --stages invert --glob '*2.npy' --glob 'p03*'
    [ "$(cd out3 && find . -type f | sort | tr '\n' ' ')" = "./p02.npy ./p03.npy ./sub/deep/p02.npy " ]
    fails 3 batch in --glob '*.png' -o out4 --stages invert
    err_is "error: there is no picture among the inputs: no file of the folders has a name that is wanted; -r looks into the folders below, too"
}

@test "the folder of the outputs is none of the inputs, and links to folders are not followed" {
    pictures in 2
    mkdir in/out
    ln -s .. in/loop
    works batch in -r -o in/out --stages invert
    works batch in -r -o in/out --stages invert
    [ "$(cd in && find . -type f | sort | tr '\n' ' ')" = "./out/p01.npy ./out/p02.npy ./p01.npy ./p02.npy " ]
}

@test "templates" {
    pictures in/sub 2
    works batch in -r -o 'a/{dir}/{stem}_2.{ext}' --stages invert
    [ -f a/sub/p01_2.npy ]
    works batch in -r -o 'b-{name}' --stages invert
    [ -f b-p02.npy ]
    works batch in/sub/p01.npy -o '{folder}/{stem}.{ext}' --format pgm --stages invert
    [ -f in/sub/p01.pgm ]
    works batch in/sub/p01.npy -o 'c/{dir}/{name}' --stages invert
    [ -f c/p01.npy ]
    fails 2 batch in -r -o 'a/{stam}.npy' --stages invert
    err_is "error: -o a/{stam}.npy: no part of a name is called '{stam}'"
    err_has "{stem} that without its suffix"
}

@test "outputs that collide, and outputs that replace another input, are refused before anything runs" {
    pictures in/a 2
    pictures in/b 2
    cp -r in before
    fails 2 batch in/a in/b -o out --stages invert
    err_is "error: in/a/p01.npy and in/b/p01.npy would both be written to out/p01.npy"
    fails 2 batch in -r -o 'out/{stem}.npy' --stages invert
    err_has "would both be written to out/p01.npy"
    fails 2 batch in/a in/./a/p02.npy -o out --stages invert
    err_has "would both be written to out/p02.npy"
    cp in/a/p01.npy in/a/p03.npy
    rm in/a/p02.npy
    ln -s ../a in/b/link
    fails 2 batch in/a/p01.npy in/a/p03.npy -o in/b/link/p03.npy/{name} --stages invert || true
    mv in/a/p03.npy in/a/p01_x.npy
    fails 2 batch in/a/p01.npy in/a/p01_x.npy -o 'in/b/link/{stem}_x.npy' --stages invert
    err_is "error: the output of in/a/p01.npy would replace in/a/p01_x.npy, which is another input"
    [ ! -e out ]
}

@test "in place" {
    pictures in 3
    mkdir one
    for f in in/*; do gf -q "$f" "one/${f#in/}" --stages invert; done
    works batch in -o in --stages invert
    diff -r in one
}

@test "names from a file and from standard input, lines or zero bytes" {
    pictures in 3
    pictures 'in/a b' 2
    find in -name '*.npy' >names
    works batch --from names -o out --stages invert
    [ "$(cd out && find . -type f | wc -l)" = 5 ]
    [ -f 'out/in/a b/p02.npy' ]
    find ./in -name '*.npy' -print0 | gf batch --from - -0 -o out2 --stages invert --progress off
    diff -r out out2
    printf '%s/in/p01.npy\r\n\nin/p02.npy' "$PWD" | gf batch --from - -o out3 --stages invert --progress off
    [ "$(cd out3 && find . -type f | sort | tr '\n' ' ')" = "./in/p02.npy ./p01.npy " ]
    run --separate-stderr -8 bash -c 'printf "in/p01.npy\nin/./p01.npy\n" | "$GPUFILTER_BIN" batch --from - -o out4 --stages invert --progress off'
    err_has "another input has been given this output"
    fails 3 batch --from nothing -o out --stages invert
    err_is "error: --from nothing: No such file or directory"
    fails 2 batch --from - --pipeline - -o out
    err_is "error: --pipeline and --from are both standard input"
}

@test "a warm worker: each name is answered while the next one is awaited" {
    pictures in 3
    coproc WORKER { "$GPUFILTER_BIN" batch --from - --progress json --stages stats; }
    local answer i
    for i in 1 2 3; do
        echo "in/p0$i.npy" >&"${WORKER[1]}"
        read -r -t 20 answer <&"${WORKER[0]}"
        [ "$(jq -r .input <<<"$answer")" = "in/p0$i.npy" ]
        [ "$(jq -r .status <<<"$answer")" = done ]
        [ "$(jq -r '.results[0].stage' <<<"$answer")" = stats ]
    done
    echo in/none.npy >&"${WORKER[1]}"
    read -r -t 20 answer <&"${WORKER[0]}"
    [ "$(jq -c '[.status, .code]' <<<"$answer")" = '["failed",3]' ]
    local pid=$WORKER_PID code=0
    eval "exec ${WORKER[1]}>&-"
    wait "$pid" || code=$?
    [ "$code" = 8 ]
}

@test "one file in a hundred is spoilt: the others are done, and exit 8" {
    pictures in 99
    mkdir expected
    echo spoilt >in/p50x.npy
    run --separate-stderr -8 "$GPUFILTER_BIN" batch in -o out --stages invert --progress off
    [ -z "$output" ]
    err_is "error: 1 of 100 files failed:"
    [[ ${stderr_lines[1]} == "  in/p50x.npy: "* ]]
    [ "$(ls out | wc -l)" = 99 ]
    [ ! -e out/p50x.npy ]
    for i in 01 37 99; do
        gf -q in/p$i.npy expected/p$i.npy --stages invert
        cmp out/p$i.npy expected/p$i.npy
    done
}

@test "inputs that vanish, folders that cannot be read" {
    pictures in 2
    run --separate-stderr -8 "$GPUFILTER_BIN" batch in/p01.npy in/gone.npy in/p02.npy -o out --stages invert --progress off
    err_is "error: 1 of 3 files failed:"
    [[ ${stderr_lines[1]} == "  in/gone.npy: "*"No such file or directory" ]]
    [ "$(ls out | tr '\n' ' ')" = "p01.npy p02.npy " ]
    local command=("$GPUFILTER_BIN")
    if [ "$(id -u)" = 0 ]; then # to whom every folder is open
        command -v setpriv >/dev/null || skip "root may read every folder, and there is no setpriv"
        command=(setpriv --reuid 61357 --regid 61357 --clear-groups "$GPUFILTER_BIN")
        (cd / && "${command[@]}" --version) >/dev/null || skip "root may read every folder, and no other can run the program"
    fi
    pictures in/closed 1
    chmod 0 in/closed
    chmod 755 . in
    mkdir -m 777 out2
    local path=$PWD
    while [ "$path" != / ]; do chmod a+x "$path" 2>/dev/null || true; path=$(dirname "$path"); done
    run --separate-stderr -8 "${command[@]}" batch in -r -o out2 --stages invert --progress off
    chmod 755 in/closed
    err_is "error: 1 of 3 files failed:"
    [ "${stderr_lines[1]}" = "  in/closed: cannot read the folder: Permission denied" ]
    [ "$(ls out2 | tr '\n' ' ')" = "p01.npy p02.npy " ]
}

@test "a disk that is full: whole files or none" {
    mkdir in
    for i in 1 2 3 4; do npy in/n$i.npy '|u1' '300, 300' < <(head -c 90000 /dev/urandom); done
    npy in/small.npy '|u1' '2, 4' 00 10 20 30 40 50 60 70
    run --separate-stderr -8 bash -c 'ulimit -f 60; "$GPUFILTER_BIN" batch in -o out --stages invert --progress off'
    err_is "error: 4 of 5 files failed:"
    [[ ${stderr_lines[1]} == "  out/n"*"cannot write: File too large"* || ${stderr_lines[1]} == "  in/n"*"File too large"* ]]
    [ "$(ls -A out)" = small.npy ]
    if [ "$(id -u)" = 0 ] && mkdir disk && mount -t tmpfs -o size=200k none disk 2>/dev/null; then
        run --separate-stderr -4 "$GPUFILTER_BIN" batch in -o disk --stages invert --progress off --threads 1
        umount=$(ls -A disk | tr '\n' ' ')
        for f in disk/*; do gf -q "in/$(basename "$f")" one.npy --stages invert && cmp "$f" one.npy; done
        umount disk
        [[ $umount != *tmp* ]]
        err_has "No space left on device"
    fi
}

@test "--max-failures ends a batch early" {
    pictures in 30
    for i in 01 02 03 04 05 06; do echo spoilt >in/p$i.npy; done
    run --separate-stderr -8 "$GPUFILTER_BIN" batch in -o out --stages invert --progress off --max-failures 2 --threads 1
    err_has "ended early: more files failed than --max-failures allows"
    [ "$(ls out 2>/dev/null | wc -l)" = 0 ]
    run --separate-stderr -8 "$GPUFILTER_BIN" batch in -o out --stages invert --progress off --max-failures 20% --threads 1
    [ "$(ls out | wc -l)" = 24 ]
    rm -r out
    run --separate-stderr -8 "$GPUFILTER_BIN" batch in -o out --stages invert --progress off --max-failures 10% --threads 1
    err_has "ended early"
    run --separate-stderr -8 "$GPUFILTER_BIN" batch in -o out --stages invert --progress off --max-failures 0 --threads 1
    err_is "error: 1 of 30 files failed:" || err_has "1 of "
    fails 2 batch in -o out --stages invert --max-failures 101%
    fails 2 batch in -o out --stages invert --max-failures x
}

@test "--skip-existing, --no-clobber, --dry-run" {
    pictures in 3
    mkdir out
    echo mine >out/p02.npy
    works batch in -o out --stages invert --dry-run
    out_is "in/p01.npy -> out/p01.npy" "in/p02.npy -> out/p02.npy" "in/p03.npy -> out/p03.npy"
    [ "$(ls out)" = p02.npy ]
    run --separate-stderr -8 "$GPUFILTER_BIN" batch in -o out --stages invert --no-clobber --progress off
    [[ ${stderr_lines[1]} == "  out/p02.npy: "* || ${stderr_lines[1]} == "  in/p02.npy: out/p02.npy: "* ]]
    [ "$(cat out/p02.npy)" = mine ]
    rm out/p01.npy
    works batch in -o out --stages invert --skip-existing --progress json
    [ "$(cat out/p02.npy)" = mine ]
    [ -f out/p01.npy ]
    [ "$(jq -r 'select(.input) | .input + " " + .status' <<<"$output" | sort | tr '\n' ' ')" = \
        "in/p01.npy done in/p02.npy skipped in/p03.npy skipped " ]
    [ "$(jq -c 'select(.summary) | .summary | [.done, .skipped, .failed]' <<<"$output")" = "[1,2,0]" ]
}

@test "results: on standard output, as JSON lines, as CSV" {
    pictures in 2
    works batch in --stages stats:name=all --progress off --threads 1
    [[ $output == *"in/p01.npy: stats (stage 1) all"* && $output == *"in/p02.npy: stats (stage 1) all"* ]]
    works batch in --stages stats --progress json
    [ "$(jq -r 'select(.input == "in/p02.npy").results[0].count[0]' <<<"$output")" = 30 ]
    works batch in -o out --stages invert,stats --report r.jsonl --progress off
    [ -z "$output" ]
    [ "$(jq -r .input.path r.jsonl | sort | tr '\n' ' ')" = "in/p01.npy in/p02.npy " ]
    gf -q in/p01.npy one.npy --stages invert,stats --report one.json
    [ "$(jq -cS 'select(.input.path == "in/p01.npy").results' r.jsonl)" = "$(jq -cS .results one.json)" ]
    [ "$(jq -c 'select(.input.path == "in/p01.npy") | [.output.path, .output.width, .device != ""]' r.jsonl)" = '["out/p01.npy",6,true]' ]
    works batch in --stages stats,hist:bins=2 --report r.csv
    [ "$(head -n 1 r.csv)" = "input,stage,index,name,field,channel,place,value" ]
    [ "$(grep -c '^in/p01.npy,hist,1,,counts,0,[01],' r.csv)" = 2 ]
    [ "$(grep '^in/p02.npy,stats,0,,max,0,0,' r.csv | cut -d, -f8)" = "$(gf in/p02.npy --stages stats --report - | jq '.results[0].max[0]')" ]
    works batch in --stages stats --report -
    [ "$(jq -r .input.path <<<"$output" | sort | tr '\n' ' ')" = "in/p01.npy in/p02.npy " ]
    fails 2 batch in --stages stats --report - --progress json
    run --separate-stderr -4 bash -c '"$GPUFILTER_BIN" batch in --stages stats --report /dev/full'
    err_is "error: --report /dev/full: No space left on device"
    run --separate-stderr -4 bash -c '"$GPUFILTER_BIN" batch in --stages stats --progress json >/dev/full'
    err_is "error: standard output: No space left on device"
}

@test "more than memory has room for is done in turn, and what never fits in bands" {
    mkdir in
    for i in 1 2 3 4 5 6; do npy in/n$i.npy '|u1' '700, 1000' < <(head -c 700000 /dev/urandom); done
    works batch in -o out --stages blur:2 --device cpu
    works batch in -o out2 --stages blur:2 --device cpu --memory 4M
    diff -r out out2
    works batch in -o out3 --stages blur:2 --device cpu --memory 1M
    diff -r out out3
    run --separate-stderr -8 "$GPUFILTER_BIN" batch in -o out4 --stages blur:2 --device cpu --memory 1K --progress off
    err_is "error: 6 of 6 files failed:"
    err_has "--memory"
}

@test "mistakes that are no file's end it at once" {
    pictures in 2
    fails 2 batch
    err_is "error: no input is given, neither files and folders nor --from FILE:"
    fails 2 batch in
    err_is "error: neither -o nor --stages is given, so there is nothing to do:"
    fails 2 batch in -o out --stages blurr
    err_has "did you mean 'blur'"
    fails 2 batch - -o out --stages blur
    err_has "--from - reads names from standard input"
    fails 2 batch in -o - --stages blur
    fails 2 batch in -o '' --stages blur
    fails 2 batch in -o out --stages blur --resume
    err_is "error: --resume needs --journal FILE, which says what is done"
    fails 2 batch in --stages stats --skip-existing
    fails 2 batch in -o out --stages blur -0
    fails 2 batch in -o out --stages blur --progress loud
    fails 3 batch in -o out --stages blend:@none.png
    [ ! -e out ]
    fails 2 in/p01.npy in/p02.npy out --stages blur
    err_has "gpufilter batch in/p01.npy in/p02.npy ... -o DIR --stages LIST"
}

@test "a stage that does not suit one picture fails that one" {
    mkdir in
    ramp in/small.npy
    npy in/large.npy '|u1' '40, 40' < <(head -c 1600 /dev/zero)
    run --separate-stderr -8 "$GPUFILTER_BIN" batch in -o out --stages crop:30x30+0+0 --progress off
    err_is "error: 1 of 2 files failed:"
    [[ ${stderr_lines[1]} == "  in/small.npy: "* ]]
    [ "$(ls out)" = large.npy ]
    run --separate-stderr -8 "$GPUFILTER_BIN" batch in --stages invert --progress off
    err_has "no -o is given, and no stage measures anything"
}

@test "conversion without stages" {
    pictures in 2
    works batch in -o out --format pgm
    gf -q in/p01.npy one.pgm
    cmp one.pgm out/p01.pgm
}

@test "devices: all that are there, one that is named, one that is not" {
    pictures in 6
    gpu=$(gpu)
    works batch in -o out --stages blur --device cpu
    works batch in -o out2 --stages blur --device auto
    diff -r out out2
    if gf devices | grep -q "^$gpu:0"; then
        works batch in -o out3 --stages blur --device "$gpu" --progress json
        diff -r out out3
        [ "$(jq -r 'select(.device).device' <<<"$output" | sort -u)" = "$gpu:0" ]
    fi
    fails 5 batch in -o out4 --stages blur --device "$gpu:77"
    [ ! -e out4 ]
}

@test "on a terminal a line says how far it is, and goes away" {
    command -v script >/dev/null || skip "no script"
    mkfifo names
    pictures in 2
    (exec 7>names; echo in/p01.npy >&7; sleep 2; echo in/p02.npy >&7) &
    script -qec '"$GPUFILTER_BIN" batch --from - -o out --stages invert <names' /dev/null >shown </dev/null
    wait
    grep -aqE $'gpufilter: 1 files?, [0-9.]+ Mpx/s, [0-9.]+ MB/s' shown
    sed 's/\r$//; s/.*\r//' shown | grep -aq 'gpufilter: 2 done, 0 failed, 0 skipped; '
    ! sed 's/\r$//; s/.*\r//' shown | grep -a 'Mpx/s, '
}

@test "Ctrl-C drops what is in flight: whole files only, and exit 130" {
    mkdir in
    for i in 1 2 3 4 5 6 7 8; do npy in/n$i.npy '|u1' '1500, 1500' < <(head -c 2250000 /dev/urandom); done
    for signal in INT TERM HUP; do
        rm -rf out
        env --default-signal=$signal "$GPUFILTER_BIN" batch in -o out --format png --stages blur:20 --png-level 9 --progress off 2>err.txt &
        pid=$!
        for ((i = 0; i < 500; i++)); do ! compgen -G 'out/.gpufilter-*' >/dev/null || break; sleep 0.01; done
        kill -$signal $pid
        code=0
        wait $pid || code=$?
        [ $code = $((128 + $(kill -l $signal))) ]
        ! compgen -G 'out/.gpufilter-*'
        for f in out/*.png; do [ ! -e "$f" ] || gf -q "$f" x.npy; done
    done
}

@test "a second Ctrl-C ends it at once" {
    mkdir in out
    npy in/n.npy '|u1' '2, 4' 00 10 20 30 40 50 60 70
    mkfifo out/n.npy # which nobody reads
    env --default-signal=INT "$GPUFILTER_BIN" batch in/n.npy -o out --stages blur --progress off &
    pid=$!
    for ((i = 0; i < 1000; i++)); do # until it catches the signal
        (((0x$(sed -n 's/^SigCgt:\t//p' /proc/$pid/status) & 2) == 0)) || break
        sleep 0.01
    done
    kill -INT $pid
    sleep 0.3
    kill -0 $pid
    kill -INT $pid
    code=0
    wait $pid || code=$?
    [ $code = 130 ]
}
