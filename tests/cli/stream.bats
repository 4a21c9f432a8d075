# Streams: decode, filter and encode by bands at once; the same files and results as of pictures held as a whole.
load common

# 2000 x 3000, gray u8: more than a band. Its samples are the digits of numbers.
large() {
    seq 1000000 | head -c 6000000 | npy large.npy '|u1' '3000, 2000'
}

bands() { # words...: how many bands the program would work in
    gf "$@" --explain=json --device cpu --threads 2 | jq .plan.bands.count
}

@test "bands do not show: files, results, reports" {
    large
    stages=blur:2,hist,stats,box:3:border=reflect
    [ "$(bands large.npy out.png --stages $stages)" -gt 1 ]
    works large.npy out.png --stages $stages --device cpu --report out.json
    streamed=$output
    works large.npy whole.png --stages $stages --device cpu --report whole.json --verify
    [ "$output" = "$streamed" ]
    cmp out.png whole.png
    [ "$(jq '[.input.hash, .output.hash, .results]' out.json)" = "$(jq '[.input.hash, .output.hash, .results]' whole.json)" ]
    for memory in 2M 900K; do
        works large.npy small.png --stages $stages --device cpu --threads 1 --memory $memory
        [ "$output" = "$streamed" ]
        cmp out.png small.png
    done
    cp large.npy same.npy
    works same.npy same.npy --stages blur:2 --device cpu
    works large.npy twice.npy --stages blur:2 --device cpu --threads 1
    cmp same.npy twice.npy
    gf large.npy - --format png --stages $stages --device cpu 2>/dev/null | cmp - out.png
    gf - - --format png --stages $stages --device cpu <large.npy 2>/dev/null | cmp - out.png
    works large.npy --stages $stages --device cpu
    [ "$output" = "${streamed//large.npy: /}" ]
}

@test "--explain says whether, and why not" {
    large
    works large.npy out.png --stages blur:2 --device cpu --threads 2 --explain
    grep -Eq '^bands    [0-9]+, of at most [0-9]+ rows, of which 8 above and 8 below are read again$' <<<"$output"
    grep -qx 'stream   decode, filter and encode at the same time' <<<"$output"
    works large.npy out.pfm --stages blur:2 --device cpu --threads 2 --explain
    grep -qx 'stream   no: pfm is written in one piece' <<<"$output"
    works large.npy out.png --stages blur:2:border=wrap --device cpu --threads 2 --explain
    grep -qx 'stream   no: stage 1 .blur. wraps around from the last row to the first' <<<"$output"
    works large.npy out.png --stages invert,equalize --device cpu --threads 2 --explain
    grep -qx 'sweeps   2 over all bands, the input is held: stage 2 .equalize. needs what .* first' <<<"$output"
    grep -qx 'stream   decode and measure at the same time, in the last sweep filter and encode' <<<"$output"
    works large.npy out.npy --stages invert,equalize,label:output=mask --device cpu --threads 2 --explain
    [ "$(grep -E '(behind|in|from) sweep' <<<"$output" | tr -s ' \n' ' ')" = ' measures in sweep 1 behind sweep 1 from sweep 2 on measures in sweep 2, makes its picture from sweep 3 on ' ]
    grep -q '^sweeps   3 ' <<<"$output"
    works large.npy out.npy --stages invert,equalize,label:output=mask --device cpu --threads 2 --explain=json
    [ "$(jq -c '[.plan.passes[].sweep]' <<<"$output")" = '[1,1,2,2]' ]
    ramp
    works ramp.npy out.png --stages invert --device cpu --threads 2 --explain
    grep -qx 'stream   no: the picture fits in one band' <<<"$output"
    works ramp.npy out.pfm --explain=json
    [ "$(jq -c '[.streams, .held_because]' <<<"$output")" = '[false,"the picture fits in one band"]' ]
}

@test "what is measured first is used in another sweep, over rows that are held or read again" {
    large
    stages=blur:1,equalize,stats,threshold:otsu
    works large.npy held.png --stages $stages --device cpu --verify
    results=$output
    works large.npy out.png --stages $stages --device cpu --report report.json
    [ "$output" = "$results" ]
    cmp out.png held.png
    works large.npy out.png --stages $stages --device cpu --memory 1M --explain
    grep -q '^sweeps   3 over all bands, the input is read again: stage 2 .equalize. needs' <<<"$output"
    works large.npy low.png --stages $stages --device cpu --memory 1M --report low.json
    [ "$output" = "$results" ]
    cmp low.png held.png
    [ "$(jq -c .input.hash report.json)" = "$(jq -c .input.hash low.json)" ]
    gf - low.png --stages $stages --device cpu --memory 1M <large.npy
    cmp low.png held.png
    gf - piped.png --stages $stages --device cpu < <(cat large.npy)
    cmp piped.png held.png
    piped() { cat large.npy | gf - none.png --stages $stages --device cpu --memory 1M; }
    run -6 --separate-stderr piped
    err_has "the input is held as a whole, as it cannot be read again: stage 2 'equalize' needs"
    only_files held.png large.npy low.json low.png out.png piped.png report.json
}

@test "memory that does not do: exit 6, and why" {
    large
    fails 6 large.npy out.png --stages blur:2:border=wrap --device cpu --memory 1M
    err_has "the memory limit is 1048576; it cannot work in bands: stage 1 'blur' wraps around"
    err_has "  to allow it: --memory "
    fails 6 large.npy out.png --stages blur:2 --device cpu --memory 20K
    err_has "the plan needs at least "
    works large.npy least.png --stages blur:2 --device cpu \
        --memory "$(sed -n 's/^  to allow it: --memory //p' <<<"$stderr")"
    rm least.png
    fails 6 large.npy out.pfm --stages blur:2 --device cpu --memory 3M
    err_has "the output is held as a whole"
    only_files large.npy
}

@test "results count as memory" {
    ramp
    local stages
    stages=$(printf 'hist:bins=65536,%.0s' {1..50})stats
    fails 6 ramp.npy out.npy --stages "$stages" --memory 16M
    err_has "are results), the memory limit is 16777216"
    works ramp.npy out.npy -q --stages "$stages" --memory 30M
}

@test "an input that is damaged at its end leaves nothing" {
    large
    gf large.npy large.png --device cpu
    head -c -3000 large.png >cut.png
    cp cut.png kept.png
    fails 3 cut.png out.png --stages blur:2 --device cpu
    fails 3 cut.png kept.png --stages blur:2 --device cpu
    cmp cut.png kept.png
    fails 3 cut.png --stages hist --device cpu
    only_files cut.png kept.png large.npy large.png
}

@test "EXIF behind the samples is kept, whatever is held" {
    large
    gf large.npy plain.png --device cpu
    exif='\x00\x00\x00\x0eeXIfII*\x00\x08\x00\x00\x00\x00\x00\x00\x00\x00\x00\x6f\xca\x5c\x47'
    { head -c -12 plain.png && printf "$exif" && tail -c 12 plain.png; } >late.png
    works late.png out.png --stages invert --device cpu
    works late.png whole.png --stages invert --device cpu --verify
    cmp out.png whole.png
    tail -c 38 out.png | cmp - <(printf "$exif" && tail -c 12 plain.png)
    works late.png - --format ppm --device cpu
    err_is "note: standard output: pnm has no room for the EXIF of late.png"
    [ "${#stderr_lines[@]}" = 1 ]
    works late.png out.ppm --device cpu --verify # which holds the picture, and has no stage to verify
    [ "$(grep -c 'pnm has no room for the EXIF' <<<"$stderr")" = 1 ]
    [ "${#stderr_lines[@]}" = 2 ]
    if gf version --json | jq -e '.formats[] | select(.name == "jpeg") | .writes' >/dev/null; then
        works late.png out.jpg --stages invert --device cpu
        head -c 40 out.jpg | grep -aq Exif
        works late.png low.jpg --stages invert --device cpu --memory 2M --threads 1 --report r.json
        cmp low.jpg out.jpg
        [ "$(jq '.plan.bands.count > 1' r.json)" = true ]
        low() { # where the program itself leaves room: not with a sanitizer
            (ulimit -v 24000 && exec "$GPUFILTER_BIN" "$1" low.jpg --stages invert --device cpu --memory 2M --threads 1)
        }
        ! low plain.png 2>/dev/null || low late.png
        gf - out2.jpg --stages invert --device cpu <late.png 2>note
        grep -q 'out2.jpg: the EXIF of standard input came behind the samples, too late for jpeg, and is left out' note
        gf late.png - --format jpeg --stages invert --device cpu 2>note | cmp - out2.jpg # once, and no second try
        grep -q 'note: standard output: the EXIF of late.png came behind the samples, too late for jpeg, and is' note
    fi
}

@test "an input that is read twice is noted once" {
    gf version --json | jq -e '.formats[] | select(.name == "jpeg") | .writes' >/dev/null || skip "no JPEG"
    large
    gf large.npy plain.png --device cpu
    turned='\x00\x00\x00\x1a\x65\x58\x49\x66\x49\x49\x2a\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00\x00\x00\x00\x00\xb7\x48\x11\x29'
    { head -c -12 plain.png && printf "$turned" && tail -c 12 plain.png; } >late.png
    works late.png out.jpg --stages invert --device cpu
    err_is "note: late.png: EXIF behind the samples: its orientation, 6, is not applied"
    [ "${#stderr_lines[@]}" = 1 ]
    head -c 40 out.jpg | grep -aq Exif
}

@test "formats without room for metadata say so" {
    large
    gf large.npy plain.png --device cpu
    exif='\x00\x00\x00\x0eeXIfII*\x00\x08\x00\x00\x00\x00\x00\x00\x00\x00\x00\x6f\xca\x5c\x47'
    { head -c 33 plain.png && printf "$exif" && tail -c +34 plain.png; } >exif.png
    works exif.png out.ppm --device cpu
    err_has "out.ppm: pnm has no room for the EXIF of exif.png"
    works exif.png out.png --device cpu
    [ -z "$stderr" ]
}

@test "XMP and IPTC go from JPEG to JPEG, and elsewhere a note says that they do not" {
    gf version --json | jq -e '.formats[] | select(.name == "jpeg") | .writes' >/dev/null || skip "no JPEG"
    large
    gf large.npy plain.jpg --device cpu
    xmp='\xff\xe1\x00\x23http://ns.adobe.com/xap/1.0/\x00<x/>'
    iptc='\xff\xed\x00\x1cPhotoshop 3.0\x008BIM\x04\x04\x00\x00\x00\x00\x00\x00'
    { head -c 2 plain.jpg && printf "$xmp$iptc" && tail -c +3 plain.jpg; } >xmp.jpg
    works xmp.jpg out.jpg --stages invert --device cpu
    [ -z "$stderr" ]
    grep -aq 'http://ns.adobe.com/xap/1.0/' out.jpg
    [ "$(grep -aoc 'Photoshop 3.0' out.jpg)" = 1 ]
    for name in out.png out.npy; do
        works xmp.jpg $name --device cpu
        err_is "note: $name: ${name#*.} has no room for the XMP or IPTC of xmp.jpg; jpeg has"
    done
    more='\xff\xe1\x00\x32http://ns.adobe.com/xmp/extension/\x000123456789abc'
    { head -c 2 plain.jpg && printf "$xmp$more" && tail -c +3 plain.jpg; } >long.jpg
    works long.jpg out.jpg --stages invert --device cpu
    [ -z "$stderr" ]
    grep -aq 'http://ns.adobe.com/xmp/extension/' out.jpg
    gf version --json | jq -e '.formats[] | select(.name == "webp") | .writes' >/dev/null || skip "no WebP"
    works long.jpg out.webp -s resize:64x64 --device cpu
    err_is "note: out.webp: webp has no room for more than the first part of the XMP of long.jpg; jpeg has"
    works xmp.jpg out.webp -s resize:64x64 --device cpu
    err_is "note: out.webp: webp has no room for the IPTC of xmp.jpg; jpeg has"
    works out.webp again.jpg --device cpu
    [ -z "$stderr" ]
    grep -aq 'http://ns.adobe.com/xap/1.0/' again.jpg
}

@test "canny needs the whole picture, and says so" {
    large
    works large.npy out.png --stages canny --device cpu --explain
    grep -q "none, the whole picture at once: stage 1 'canny'" <<<"$output"
    works large.npy out.png --stages canny --device cpu --memory 40M --verify
    fails 6 large.npy out.png --stages canny --device cpu --memory 8M
    err_has "it cannot work in bands: stage 1 'canny' works on the whole picture"
    fails 2 large.npy out.png --stages canny:roi=8x8+0+0
    err_has "no parameter 'roi'"
    fails 2 large.npy out.png --stages canny:0.3
    err_has "low is 0.3 and high 0.2: it needs 0 <= low <= high"
}
