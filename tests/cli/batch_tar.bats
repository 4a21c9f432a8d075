# gpufilter batch in.tar -o out.tar, against GNU tar.
load common

# A folder of pictures of several formats, some of them below others.
pictures() {
    mkdir -p "$1/sub"
    gf -q "$BATS_TEST_DIRNAME/../../samples/sample.png" "$1/rgb.png" --stages crop:64x40+10+20
    local to
    for to in photo.jpg more.ppm gray.pgm plain.bmp some.tif float.npy sub/lossless.webp sub/x.tga sub/deep.pfm; do
        gf -q "$1/rgb.png" "$1/$to" --stages "$([[ $to == *gray* ]] && echo gray || echo flip:x)" \
            $([[ $to == *.npy || $to == *.pfm ]] && echo --depth f32)
    done
    touch -d '2001-02-03 04:05:06 UTC' "$1/rgb.png"
}

# The tar, unpacked, is the folder, byte for byte.
holds() { # TAR FOLDER
    rm -rf unpacked
    mkdir unpacked
    tar -xf "$1" -C unpacked
    diff -r unpacked "$2"
}

@test "a tar gives what the folder gives, in its order, whatever kind of tar and options" {
    local kind options
    pictures in
    for kind in ustar pax gnu v7; do
        tar -C in --format=$kind -cf in.tar .
        for options in "--stages blur:2,contrast:1.5" "--stages trim --depth u8 --format png" "--stages resize:50% --fast-load"; do
            rm -rf many
            gf batch in -r -q -o many $options
            works batch in.tar -q -o out.tar $options
            holds out.tar many
        done
    done
    works batch in.tar -q -o out.tar --stages invert
    [ "$(tar -tf in.tar | grep -v '/$')" = "$(tar -tf out.tar)" ]
    [[ "$(TZ=UTC tar --full-time --numeric-owner -tvf out.tar ./rgb.png)" == "-rw-r--r-- 0/0 "*"2001-02-03 04:05:06 ./rgb.png" ]]
    only_files in in.tar many out.tar unpacked
}

@test "pipes; in place; results without an output; one thread" {
    pictures in
    gf batch in -r -q -o many --stages invert
    tar -C in -cf in.tar .
    tar -C in -cf - . | gf batch - -q -o - --stages invert | cat >out.tar
    holds out.tar many
    gf batch in.tar -q -o - --stages invert --threads 1 | cmp - out.tar
    gf batch - -q -o again.tar --stages invert <in.tar
    cmp again.tar out.tar
    works batch in.tar --stages stats --report r.csv --progress off
    [ "$(cut -d, -f1 r.csv | sort -u | grep -c '^./')" = 10 ]
    ln -s in.tar link.tar
    works batch in.tar -q -o link.tar --stages invert
    cmp in.tar out.tar
    [ -L link.tar ]
}

@test "long names by PAX and by GNU, and in ustar's prefix; sizes and times by PAX" {
    local name kind long
    long=$(printf '%0120d' 7)
    gf -q "$BATS_TEST_DIRNAME/../../samples/sample.png" a.png --stages crop:8x8+0+0
    mkdir -p in/$long in/0123456789/$(printf '%099d' 1)
    for name in in/$long/$long.png in/0123456789/$(printf '%099d' 1)/b.png "in/$(printf '%095d' 1)c.png" in/$(printf '%096d' 1)d.png; do
        cp a.png "$name"
    done
    gf batch in -r -q -o many --stages invert
    for kind in gnu pax; do
        tar -C in --format=$kind -cf in.tar .
        works batch in.tar -q -o out.tar --stages invert
        holds out.tar many
    done
    tar -cf in.tar --format=ustar in/0123456789
    works batch in.tar -q -o out.tar --stages invert
    tar -xOf out.tar | cmp - many/0123456789/*/b.png
    tar -C in --format=pax --pax-option='mtime:=1000000000.5' -cf in.tar .
    works batch in.tar -q -o out.tar --stages invert
    [ "$(TZ=UTC tar --full-time -tvf out.tar | grep -c '2001-09-09 01:46:40')" = 4 ]
}

@test "a tar that ends too early is an error with member and place, and no output" {
    local at size
    mkdir in
    gf -q "$BATS_TEST_DIRNAME/../../samples/sample.png" in/a.png --stages crop:40x30+0+0
    cp in/a.png in/b.png
    tar -cf in.tar --format=ustar in/a.png in/b.png
    size=$(stat -c %s in/a.png)
    local next=$((512 + (size + 511) / 512 * 512))
    echo before >out.tar
    cp out.tar kept
    for at in 0 100 512 700 $((511 + size)) $((next - 1)) $next $((next + 300)) $((next + 600)) $((2 * next)) $((2 * next + 1)); do
        head -c "$at" in.tar >cut.tar
        fails 3 batch cut.tar -o out.tar --stages invert --progress off
        if ((at < 512)); then
            err_is "error: cut.tar: it ends too early, at byte $at, where its first member would be"
        elif ((at < next)); then
            err_is "error: cut.tar: it ends too early, at byte $at, in member in/a.png"
        elif ((at < next + 512)); then
            err_is "error: cut.tar: it ends too early, at byte $at, behind member in/a.png"
        elif ((at < 2 * next)); then
            err_is "error: cut.tar: it ends too early, at byte $at, in member in/b.png"
        else
            err_is "error: cut.tar: it ends too early, at byte $at, behind member in/b.png"
        fi
        cmp out.tar kept
        only_files in in.tar cut.tar out.tar kept
    done
    head -c $((2 * next + 512)) in.tar >cut.tar # one block of zeros is an end
    works batch cut.tar -o out.tar --stages invert --progress off
    [ "$(tar -tf out.tar 2>/dev/null | wc -l)" = 2 ]
}

@test "a damaged tar" {
    local at
    mkdir in
    gf -q "$BATS_TEST_DIRNAME/../../samples/sample.png" in/a.png --stages crop:40x30+0+0
    tar -cf good.tar --format=ustar in/a.png
    for at in 0 130 150 300; do
        cp good.tar bad.tar
        printf '\x7f' | dd of=bad.tar bs=1 seek=$at conv=notrunc status=none
        fails 3 batch bad.tar -o out.tar --stages invert --progress off
        err_is "error: bad.tar: no header of a tar at byte 0, where its first member would be"
        [ ! -e out.tar ]
    done
    truncate -s 1M in/hole.png
    tar -cSf sparse.tar --format=gnu in/a.png in/hole.png
    fails 3 batch sparse.tar -o out.tar --stages invert --progress off
    err_has "sparse.tar: a sparse file, which is not read, at byte"
    err_has "in member in/hole.png"
    tar -cSf sparse.tar --format=pax in/hole.png
    fails 3 batch sparse.tar -o out.tar --stages invert --progress off
    err_has "a sparse file, which is not read,"
    fails 3 batch none.tar -o out.tar --stages invert --progress off
    err_is "error: none.tar: No such file or directory"
    tar -cf empty.tar -T /dev/null
    fails 3 batch empty.tar -o out.tar --stages invert --progress off
    err_is "error: there is no picture among the members of empty.tar"
    [ ! -e out.tar ]
}

@test "members that are no pictures, links, spoilt ones, names that lead out, and names given twice" {
    mkdir in
    gf -q "$BATS_TEST_DIRNAME/../../samples/sample.png" in/a.png --stages crop:40x30+0+0
    cp in/a.png in/b.png
    echo text >in/notes.txt
    cp in/a.png in/.hidden.png
    ln -s a.png in/link.png
    tar -cf in.tar in/a.png in/notes.txt in/.hidden.png in/link.png in/b.png
    works batch in.tar -o out.tar --stages invert --progress off
    err_is "note: in.tar: in/link.png is a link, and not taken"
    err_has "note: 1 file not taken, as no format that is read has the suffix: txt"
    [ "$(tar -tf out.tar | tr '\n' ' ')" = "in/a.png in/b.png " ]
    works batch in.tar -q -o out.tar --stages invert --glob 'b.*'
    [ "$(tar -tf out.tar)" = in/b.png ]
    echo spoilt >in/c.png
    tar -P --hard-dereference -cf in.tar in/c.png "$PWD/in/a.png" in/../in/a.png in/b.png in/b.png
    fails 8 batch in.tar -o out.tar --stages invert --progress off
    err_is "error: 4 of 5 files failed:"
    err_has "  in/c.png: "
    err_has "  $PWD/in/a.png: its name leads out of the folder"
    err_has "  in/../in/a.png: its name leads out of the folder"
    err_has "  in/b.png: another member has been given this output: in/b.png"
    [ "$(tar -tf out.tar)" = in/b.png ]
    fails 8 batch in.tar -o two.tar --stages invert --progress off --max-failures 0
    [ ! -e two.tar ]
    fails 8 batch in.tar -o two.tar --stages invert --progress off --limit input=100
    err_has "in/b.png: has "
    err_has " more than --limit input=100 allows"
}

@test "what does not go with a tar is refused" {
    local words
    : >in.tar
    for words in "--journal j" "--shard 1/2" "-r" "--skip-existing" "--dry-run" "--table t.csv"; do
        fails 2 batch in.tar -o out.tar --stages invert $words
        err_is "error: ${words%% *} is of files, and the input is a tar: in.tar"
    done
    fails 2 batch in.tar -o out --stages invert
    err_is "error: -o out: what is made of a tar goes to a tar: a name that ends with .tar, or -"
    fails 2 batch - -o out --stages invert
    err_has "'-' is no input of a batch"
    fails 2 batch in.tar -o - --stages invert --progress json
    err_is "error: --progress json and -o are both standard output"
    fails 2 batch in.tar -o out.tar --stages invert --report out.tar
    err_has "OUT and --report are both out.tar"
    echo old >out.tar
    fails 4 batch in.tar -o out.tar --stages invert --no-clobber
    err_is "error: out.tar: exists, and --no-clobber keeps it"
    [ "$(cat out.tar)" = old ]
}

@test "a signal, and a full disk, leave no part of a tar" {
    pictures in
    tar -C in -cf in.tar .
    mkfifo pipe
    "$GPUFILTER_BIN" batch - -o out.tar --stages invert --progress off <pipe 2>said &
    local pid=$! code=0
    exec 9>pipe
    head -c 20000 in.tar >&9
    for _ in $(seq 100); do
        [ -z "$(ls -A | grep '^\.gpufilter')" ] || break
        sleep 0.05
    done
    [ -n "$(ls -A | grep '^\.gpufilter')" ]
    kill -TERM $pid
    timeout 20 tail --pid=$pid -f /dev/null
    exec 9>&-
    wait $pid || code=$?
    [ "$code" = 143 ]
    [ "$(grep -c error: said)" = 0 ] || { cat said; false; }
    only_files in in.tar pipe said
    [ -e /dev/full ] || skip "there is no /dev/full"
    ln -s /dev/full full.tar
    fails 4 batch in.tar -o full.tar --stages invert --progress off
    err_has "No space left on device"
    run -4 bash -c 'ulimit -f 8; "$GPUFILTER_BIN" batch in.tar -o out.tar --stages invert --progress off 2>/dev/null'
    only_files full.tar in in.tar pipe said
}
