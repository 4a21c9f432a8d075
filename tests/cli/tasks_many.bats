# Many pictures, and files: tasks that people ask for (tasks.bash says how they are checked).
load tasks

# What stack makes: stacked OUT 'AWK that sets w of the sorted v[1..n]': pictures f1.npy to f5.npy.
is_stacked() {
    for k in 1 2 3 4 5; do numbers f$k.npy; done | awk "{ row = (NR - 1) % 6; for (x = 1; x <= NF; x++) all[row, x] = all[row, x] \" \" \$x }
        END { for (y = 0; y < 6; y++) { for (x = 1; x <= 9; x++) { n = split(all[y, x], v, \" \")
            for (i = 2; i <= n; i++) for (k = i; k > 1 && v[k - 1] + 0 > v[k] + 0; k--) { t = v[k]; v[k] = v[k - 1]; v[k - 1] = t }
            s = 0; for (i = 1; i <= n; i++) s += v[i]
            $2; printf \" %d\", w } print \"\" } }" | diff -w - <(numbers "$1")
}

burst() {
    for k in 1 2 3 4 5; do noise f$k.npy 9 6 1 $k; done
}

@test "T3: fifty photographs of a folder are each as large as asked" {
    mkdir in
    noise wide.npy 60 30 3 1
    noise tall.npy 20 40 3 2
    gf wide.npy in/0.png -q
    gf tall.npy in/1.png -q
    for k in {2..49}; do cp in/$((k % 2)).png in/$k.png; done
    works batch in -o out -q --stages resize:20x20:fit=inside
    [ "$(ls out | wc -l)" = 50 ]
    gf info out/*.png | awk '{ n[$3 $4 $5]++ } END { exit !(n["20x10"] == 25 && n["10x20"] == 25) }'
}

@test "T19: TIFF, WebP, BMP, TGA, PPM and .npy hand on each sample" {
    needs tiff webp
    noise in.npy 23 17 3 3
    from=in.npy
    for to in a.tif b.webp c.bmp d.tga e.ppm f.npy; do
        gf $from $to -q
        from=$to
    done
    cmp <(samples in.npy) <(samples f.npy)
    [ "$(head -c 4 a.tif | od -An -tx1)" = " 49 49 2a 00" ]
    [ "$(head -c 4 b.webp)$(tail -c +9 b.webp | head -c 4)" = RIFFWEBP ]
}

@test "T20: jq finds in the report the mean that awk finds" {
    noise in.npy 16 12 1 3
    numbers in.npy | awk '{ for (x = 1; x <= 16; x++) s += $x } END { printf "%.9f\n", s / 192 }' >wanted
    gf in.npy -q --stages stats --report - | jq '.results[0].mean[0]' | awk '{ printf "%.9f\n", $1 }' | diff wanted -
}

@test "T21: make knows by the exit code and by the file whether a picture was made" {
    command -v make || skip "no make"
    scene
    printf 'out.png: scene.npy\n\t"$(GF)" $< $@ -q --stages blur:1\nbad.png: scene.npy\n\t"$(GF)" $< $@ -q --stages blurr\n' >Makefile
    make GF="$GPUFILTER_BIN" out.png
    [[ $(make GF="$GPUFILTER_BIN" out.png) == *"up to date"* ]]
    run ! make GF="$GPUFILTER_BIN" bad.png
    [ ! -e bad.png ]
}

@test "T22: Python takes pixels from a pipe" {
    command -v python3 || skip "no Python"
    scene
    python3 - "$GPUFILTER_BIN" <<'EOP' >out
import subprocess, sys
pgm = subprocess.run([sys.argv[1], "scene.npy", "-", "--format", "pgm", "-q", "--stages", "invert"], stdout=subprocess.PIPE, check=True).stdout
print(sum(pgm[-192:]))
EOP
    [ "$(<out)" = "$(numbers scene.npy | awk '{ for (x = 1; x <= 16; x++) s += 255 - $x } END { print s }')" ]
}

@test "T23: two programs in a pipe make what one makes" {
    noise in.npy 16 12 3 3
    gf in.npy - --format ppm -q --stages blur:1 | gf - out.png -q --stages gray
    gf in.npy one.png -q --stages blur:1,gray
    cmp <(numbers one.png) <(numbers out.png)
}

@test "T23: pictures one behind the other go through a pipe, each as if it were alone" {
    for k in 1 2 3; do noise f$k.npy 16 12 3 $k; done
    for k in 1 2 3; do gf f$k.npy - --format ppm -q; done >three.ppm
    gf - - --format ppm -q --stages blur:1,gray <three.ppm >out.ppm
    for k in 1 2 3; do gf f$k.npy - --format ppm -q --stages blur:1,gray; done | cmp - out.ppm
    gf - - --format ppm -q --verify --stages equalize,blend:in:mode=max <three.ppm >out.ppm
    for k in 1 2 3; do gf f$k.npy - --format ppm -q --stages equalize,blend:in:mode=max; done | cmp - out.ppm
    cat three.ppm <(gf f1.npy - --format ppm -q --stages crop:5x4+0+0) >other.ppm
    run -3 --separate-stderr gf - - --format ppm --stages gray <other.ppm
    err_is "error: standard input: picture 4 has 5 x 4 x 3 u8, must have 16 x 12 x 3 u8 as the first"
    works - out.png <three.ppm # which holds one
    err_has "several pictures: only the first is read"
    run -0 --separate-stderr gf - - --format ppm --report r.json <three.ppm
    err_has "several pictures: only the first is read"
}

@test "T24: a chain in a file, with comments, is the chain" {
    scene
    printf 'median:1   # dead pixels\nblur:2\n' >chain.txt
    gf scene.npy a.png -q --pipeline chain.txt
    gf scene.npy b.png -q --stages median:1,blur:2
    cmp a.png b.png
    gf scene.npy c.png -q --pipeline <(gf scene.npy --pipeline chain.txt --print-pipeline json)
    cmp a.png c.png
}

@test "T25: it says how long each pass took, and all of it" {
    noise in.npy 160 120 3 3
    gf in.npy out.png -q --stages blur:2,gray --report - |
        jq -e '.times_ms | (.passes | length > 0 and add <= .[0] * 1e6) and .total >= .kernels and .total > 0'
    works in.npy out.png -v --stages blur:2,gray
    err_has " ms"
}

@test "T26: a picture that memory cannot hold goes through in bands, with the same samples" {
    without_sanitizer
    gf "$(oracle in_gray8.npy)" large.npy -q --stages resize:4000x3000
    gf large.npy a.npy -q --stages blur:3,unsharp:2
    gf large.npy b.npy --memory 8M -q --stages blur:3,unsharp:2 --report - | jq -e '.plan.bands.count > 1 and .plan.memory <= 8388608'
    cmp a.npy b.npy
}

@test "N2: a contact sheet has each picture at its place" {
    burst
    works sheet f1.npy f2.npy f3.npy f4.npy f5.npy sheet.png --columns 3 --gap 2
    [ "$(size sheet.png)" = "31 14" ]
    gf sheet.png cut.png -q --stages crop:9x6+11+8 # the fifth
    cmp <(numbers f5.npy) <(numbers cut.png)
}

@test "N5: a batch names, converts, and keeps what the camera wrote" {
    needs jpeg
    noise in.npy 16 12 3 3
    mkdir shots
    gf in.npy flat.jpg -q
    { head -c 2 flat.jpg
      printf '\xff\xe1\x00\x28Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x0f\0\x02\0\0\0\x06\0\0\0\x1a\0\0\0\0Acme1\0'
      tail -c +3 flat.jpg; } >shots/a.jpg
    cp shots/a.jpg shots/b.jpg
    works batch shots -q -o 'web/holiday_{stem}.png'
    [ "$(ls web | paste -sd ' ')" = "holiday_a.png holiday_b.png" ]
    grep -q Acme1 web/holiday_b.png
    gf flat.jpg flat.png -q
    cmp <(numbers flat.png) <(numbers web/holiday_a.png)
}

@test "N11: a page of a 16-bit TIFF, and all of them as one" {
    needs tiff
    stack=$(oracle tasks/stack.tif)
    works info "$stack"
    [[ $output == *"8 pages"* ]]
    gf stack "$stack" max.npy --by max
    is_oracle max.npy tasks/stack_max
    gf stack "$stack" median.npy --by median
    is_oracle median.npy tasks/stack_median
    for k in 1 2 3 4 5 6 7 8; do gf "$stack" p$k.npy -q --page $k; done
    gf stack p?.npy max.npy --by max
    is_oracle max.npy tasks/stack_max
}

@test "stack: OUT has the EXIF of the first picture, and a note says so, and what OUT has no room for" {
    needs jpeg
    tagged=$BATS_TEST_DIRNAME/../../samples/sample.png
    cp "$tagged" plain.png
    gf plain.png a.jpg -q
    /usr/bin/python3 - <<'END' || skip "no Pillow"
from PIL import Image, ImageCms
image = Image.open("plain.png").convert("RGB")
exif = image.getexif()
exif[0x010E] = "first"
image.save("exif.jpg", exif=exif, icc_profile=ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
image.save("none.jpg")
END
    works stack exif.jpg none.jpg out.jpg
    err_has "note: out.jpg: has the EXIF of exif.jpg, the first of 2 pictures"
    err_has "note: none.jpg: has another ICC profile than exif.jpg; samples are taken as stored"
    works stack exif.jpg exif.jpg out.bmp
    err_has "note: out.bmp: bmp has no room for ICC profile and EXIF of exif.jpg"
    works stack none.jpg none.jpg out.jpg
    [ -z "$stderr" ]
}

@test "N12: the greatest of many pictures, at each pixel" {
    burst
    gf stack f?.npy max.png --by max
    is_stacked max.png 'w = v[n]'
    gf stack f?.npy min.png --by min
    is_stacked min.png 'w = v[1]'
    gf f1.npy blended.png -q --stages blend:@f2.npy:mode=max,blend:@f3.npy:mode=max,blend:@f4.npy:mode=max,blend:@f5.npy:mode=max
    cmp <(numbers max.png) <(numbers blended.png)
}

@test "N13: the mean and the median of a burst" {
    burst
    gf stack f?.npy mean.png
    is_stacked mean.png 'w = int(s / n + 0.5)'
    gf stack f?.npy median.png --by median
    is_stacked median.png 'w = v[3]'
    npy a.npy '<f4' '1, 2' 00 00 80 3f 00 00 c0 7f # 1 and NaN
    npy b.npy '<f4' '1, 2' 00 00 00 40 00 00 00 40
    gf stack a.npy b.npy out.npy --by median
    [ "$(samples out.npy)" = "00 00 c0 3f 00 00 c0 7f" ]
    fails 2 stack - - out.png <f1.npy
    err_is "error: standard input, -, is given 2 times, and comes once: save it to a file first"
    (ulimit -Sn 24 && gf stack $(for k in {1..8}; do echo f?.npy; done) many.png) # the program may have more open
    cmp mean.png many.png
    (ulimit -n 24 && fails 3 stack $(for k in {1..8}; do echo f?.npy; done) no.png && err_has "as many as \`ulimit -Hn\` allows")
    fails 3 stack f1.npy a.npy out.png
    err_is "error: a.npy: 2 x 1 x 1 f32, must be 9 x 6 x 1 u8 as f1.npy"
    fails 2 stack f1.npy f2.npy out2.png --by most
    err_is "error: --by is 'most', must be mean, median, max or min"
    [ ! -e out2.png ]
}

@test "N14: what moved from each frame of a pipe to the next" {
    burst
    for k in 1 2 3; do gf f$k.npy - --format pgm -q; done >frames.pgm
    gf - - --format pgm -q --input before=- --stages difference:before <frames.pgm >moved.pgm
    { for k in 1 1 2 3; do numbers f$k.npy | tr -s ' \n' ' ' && echo; done; } | awk '{ split($0, v, " ")
        for (i = 1; i <= 54; i++) { d = v[i] - u[i]; if (NR > 1) printf " %d", (d < 0 ? -d : d); u[i] = v[i] } }' >wanted
    for k in 0 1 2; do tail -c +$((65 * k + 12)) moved.pgm | head -c 54; done | od -An -v -tu1 -w162 >out # behind heads of 11 bytes
    diff -w wanted out
    fails 2 - - --format pgm --stages blend:@- <frames.pgm
    fails 2 - out.pgm --input before=- --stages blend:before <frames.pgm
}

@test "N14: what moved from one file to the next" {
    burst
    for k in 2 3; do gf f$k.npy d$k.png -q --stages difference:@f$((k - 1)).npy; done
    paste <(numbers f2.npy) <(numbers f3.npy) <(numbers d3.png) |
        awk '{ for (x = 1; x <= 9; x++) { d = $x - $(x + 9); if ((d < 0 ? -d : d) != $(x + 18)) exit 1 } }'
}

@test "N30: each sprite lies where the list of places says" {
    burst
    noise f5.npy 5 3 1 6
    works sheet f?.npy sheet.png --gap 1 --columns 2 --places places.json -q
    jq -r '.[] | "\(.name) \(.width)x\(.height)+\(.x)+\(.y)"' places.json | while read -r name box; do
        gf sheet.png one.png -q --stages crop:$box
        cmp <(numbers $name) <(numbers one.png)
    done
}

@test "N31: without what a camera writes, and with the same pixels" {
    needs jpeg
    noise in.npy 16 12 3 3
    gf in.npy flat.jpg -q
    { head -c 2 flat.jpg
      printf '\xff\xe1\x00\x28Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x0f\0\x02\0\0\0\x06\0\0\0\x1a\0\0\0\0Acme1\0'
      tail -c +3 flat.jpg; } >camera.jpg
    gf camera.jpg kept.png -q
    gf camera.jpg bare.png -q --strip
    grep -q Acme1 kept.png
    run ! grep -q Acme1 bare.png
    cmp <(numbers kept.png) <(numbers bare.png)
}

@test "N32: TIFF and WebP are written without loss, and WebP smaller with some" {
    needs tiff webp
    noise in.npy 64 48 3 3
    for suffix in tif webp; do
        gf in.npy a.$suffix -q
        cmp <(numbers in.npy) <(numbers a.$suffix)
    done
    gf "$(oracle in_rgb8.npy)" large.webp -q
    gf "$(oracle in_rgb8.npy)" small.webp -q --quality 50
    [ "$(wc -c <small.webp)" -lt "$(($(wc -c <large.webp) / 2))" ]
}

@test "N33: a progressive JPEG has the same pixels, and says so in its first frame" {
    needs jpeg
    noise in.npy 64 48 3 3
    gf in.npy a.jpg -q
    gf in.npy b.jpg -q --progressive
    cmp <(numbers a.jpg) <(numbers b.jpg)
    od -An -v -tx1 b.jpg | tr -d ' \n' | grep -q ffc20011
    run ! grep -q ffc20011 <(od -An -v -tx1 a.jpg | tr -d ' \n')
}
