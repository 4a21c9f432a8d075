# Formats of files: what each keeps, and what each refuses.
load common

built() { # FORMAT
    gf version --json | jq -e --arg name "$1" '.formats[] | select(.name == $name) | .writes' >/dev/null
}

@test "list formats" {
    works list formats
    [[ ${lines[0]} == "png   png               Portable Network Graphics"* ]]
    for format in jpeg tiff webp gif heif npy pnm y4m pfm bmp hdr fits tga; do
        grep -q "^$format " <<<"$output"
        built $format || grep -qE "^$format .* \((only read|not built in)\)$" <<<"$output"
    done
    signals=$(sed '1,/^of signals$/d' <<<"$output")
    for format in wav w64 flac npy csv tsv raw; do
        grep -q "^$format " <<<"$signals"
    done
    fails 2 list pictures
    err_is "error: list is of 'pictures': must be stages (the default) or formats"
}

@test "a format that is not built in says so" {
    colours
    missing=
    for pair in jpeg:jpg tiff:tif webp:webp bmp:bmp tga:tga hdr:hdr; do
        built "${pair%:*}" && continue
        missing=1
        fails 2 colours.npy "out.${pair#*:}"
        err_has "this build writes no ${pair%:*}: rebuild with"
    done
    [ -n "$missing" ] || skip "all are built in"
}

@test "BMP and TGA are read by every build" {
    printf 'BM\x3a\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\1\0\0\0\1\0\0\0\1\0\x18\0\0\0\0\0\4\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\3\2\1\0' >a.bmp
    printf '\0\0\2\0\0\0\0\0\0\0\0\0\1\0\1\0\x18\x20\3\2\1' >a.tga
    for name in a.bmp a.tga; do
        works $name a.npy
        [ "$(samples a.npy)" = "01 02 03" ]
    done
}

@test "the same picture through every format that loses nothing" {
    colours
    for suffix in png ppm pnm bmp tga tiff webp fits; do
        built "${suffix/ppm/pnm}" || continue
        works colours.npy "a.$suffix"
        works "a.$suffix" back.npy
        cmp colours.npy back.npy
        works compare colours.npy "a.$suffix"
    done
    works colours.npy a.pfm
    err_has "pfm does not hold u8, so convert:f32 is added"
    works a.pfm back.npy --depth u8
    cmp colours.npy back.npy
    works colours.npy - --format ppm
    [[ $output == P6* ]]
}

@test "a format that does not hold the channels: said before the input is decoded" {
    npy rgba.npy '|u1' '1, 2, 4' 01 02 03 04 05 06 07 08
    fails 2 rgba.npy out.ppm --stages invert
    err_is "error: out.ppm: pnm holds gray and RGB, not RGBA; png holds that, and the stage alpha:over or alpha:drop takes alpha away"
    head -c 130 rgba.npy >short.npy
    colours
    fails 2 colours.npy out.pgm
    err_is "error: out.pgm: a .pgm is gray and the picture is RGB: write a .ppm, or add the stage gray"
    fails 2 --explain colours.npy out.pgm
    err_has "out.pgm: a .pgm is gray"
    fails 2 colours.npy out.pgm --stages blur --verify
    [ "${#stderr_lines[@]}" = 1 ]
    works colours.npy out.pgm --stages gray
    only_files rgba.npy short.npy colours.npy out.pgm
}

@test "HDR: an exposure that is not applied is noted" {
    built hdr || skip "no HDR"
    for value in 1 ' 1.000 ' 2.5 10 .5 -1 ''; do
        printf '#?RADIANCE\nEXPOSURE=%s\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n\x80\x40\x20\x81' "$value" >a.hdr
        works a.hdr a.npy
        [ "$(samples a.npy)" = "00 00 80 3f 00 00 00 3f 00 00 80 3e" ]
        case $value in
        1 | ' 1.000 ') [ -z "$stderr" ] ;;
        *) err_is "note: a.hdr: HDR: the samples are as stored, its EXPOSURE is not applied" ;;
        esac
    done
    works a.npy b.hdr
    works b.hdr c.npy
    [ -z "$stderr" ]
}

@test "FITS: by rows from a file, at once from a pipe, and what others make of it" {
    npy tall.npy '<u2' '400, 30, 3' < <(head -c 72000 "$GPUFILTER_BIN")
    works tall.npy tall.fits
    works tall.fits rows.npy --stages blur:2 --memory 100K --device cpu --threads 1 --explain
    grep -qx 'stream   decode, filter and encode at the same time' <<<"$output"
    works tall.fits rows.npy --stages blur:2 --memory 100K --device cpu --threads 1
    works tall.npy once.npy --stages blur:2
    cmp rows.npy once.npy
    cat tall.fits | gf - piped.npy --stages blur:2
    cmp piped.npy once.npy
    works tall.npy gray.fits --stages gray,convert:u8
    works gray.fits gray.npy
    python3 -c 'import PIL.FitsImagePlugin, numpy' 2>/dev/null || skip "no Pillow that reads FITS"
    python3 - <<'EOP'
import numpy
import PIL.Image
assert (numpy.array(PIL.Image.open("gray.fits")) == numpy.load("gray.npy")).all()
EOP
}

@test "JPEG: EXIF that is too long for it is left out, with a note" {
    built jpeg || skip "no JPEG"
    colours
    works colours.npy plain.png
    { head -c 33 plain.png && printf '\x00\x00\xff\xf8eXIfII*\x00\x08' && head -c 65523 /dev/zero &&
        printf '\xd3\xd4\x7e\xd7' && tail -c +34 plain.png; } >long.png
    works long.png out.png
    [ -z "$stderr" ]
    works long.png out.jpg
    err_is "note: out.jpg: jpeg holds at most 65527 bytes of EXIF; the 65528 of long.png are left out"
    ! head -c 100 out.jpg | grep -aq Exif
}

@test "a format that does not hold the size: said before anything is computed" {
    built jpeg || skip "no JPEG"
    npy wide.npy '|u1' '2, 65501' < <(head -c 131002 /dev/zero)
    fails 2 --explain wide.npy out.jpg
    err_is "error: out.jpg: jpeg holds at most 65500 pixels each way, not 65501 x 2; png holds more"
    fails 2 wide.npy out.jpg --stages invert --verify
    [ "${#stderr_lines[@]}" = 1 ]
    works wide.npy out.png
    only_files wide.npy out.png
}

@test "JPEG: --quality" {
    built jpeg || skip "no JPEG"
    npy grain.npy '|u1' '64, 64, 3' < <(head -c 12288 "$GPUFILTER_BIN")
    works grain.npy low.jpg --quality 10
    works grain.npy default.jpg
    works grain.npy same.jpeg --quality 90
    works grain.npy high.jpg --quality 100
    cmp default.jpg same.jpeg
    [ "$(stat -c %s low.jpg)" -lt "$(stat -c %s default.jpg)" ]
    [ "$(stat -c %s default.jpg)" -lt "$(stat -c %s high.jpg)" ]
    for wrong in 0 101 -1 best; do
        fails 2 grain.npy out.jpg --quality "$wrong"
        err_has "--quality"
    done
    npy wide.npy '<u2' '1, 2' 00 01 00 02
    works wide.npy out.jpg
    err_has "jpeg does not hold u16, so convert:u8 is added"
    head -c 300 default.jpg >cut.jpg
    fails 3 cut.jpg out.png
    err_has "cut.jpg: the file ends early"
    works --explain default.jpg out.png --stages blur
    [[ $output == *"default.jpg: jpeg, 8 bit"* ]]
}

# A BMP up to its samples: WIDTH and HEIGHT of up to 65535, BITS, COMPRESSION, where the samples BEGIN.
bmp_head() {
    word() { printf '\\x%02x\\x%02x' $(($1 & 255)) $(($1 >> 8)); }
    printf "BM\0\0\0\0\0\0\0\0$(word "$5")\0\0\x28\0\0\0$(word "$1")\0\0$(word "$2")\0\0\x01\0$(word "$3")$(word "$4")\0\0"
    head -c 20 /dev/zero
}

@test "BMP: the fourth byte is no alpha, so a JPEG can be made; a palette that was not counted is found" {
    built bmp || skip "not built in"
    {
        bmp_head 2 1 32 0 54
        printf '\1\2\3\0\4\5\6\1'
    } >wide.bmp
    works wide.bmp out.ppm
    [ "$(tail -c 6 out.ppm | od -An -tx1)" = ' 03 02 01 06 05 04' ]
    ! built jpeg || works wide.bmp out.jpg
    {
        bmp_head 1 1 1 0 54
        printf '\1\2\3\0\4\5\6\0\x80\0\0\0'
    } >uncounted.bmp
    works uncounted.bmp out.ppm
    err_has "uncounted.bmp: its samples are not at byte 54, but behind its palette"
    [ "$(tail -c 3 out.ppm | od -An -tx1)" = ' 06 05 04' ]
}

@test "a short file of a large picture that must be had at once is beyond a limit by default" {
    built bmp || skip "not built in"
    {
        bmp_head 16384 16384 8 1 1078
        head -c $((1024 + 16384 * 16)) /dev/zero
        printf '\0\1'
    } >bomb.bmp
    fails 3 bomb.bmp out.png
    err_has "needs 805306368 bytes at once"
    err_has "--limit decoder="
    fails 3 bomb.bmp out.png --limit decoder=767M
    {
        bmp_head 100 100 8 1 1078
        head -c 1024 /dev/zero
        printf '\0\1'
    } >small.bmp
    fails 3 small.bmp out.png --limit decoder=29999
    works small.bmp out.png --limit decoder=30000
}

@test "of several PNM pictures the first is read, with a note" {
    printf 'P5#as it comes from ffmpeg\n2 1 255\nab' >frame
    cat frame frame >frames
    works - out.pgm --format pgm <frames
    err_has "several pictures: only the first is read"
    works - out.pgm --format pgm <frame
    [ -z "$stderr" ]
    cat frame frame frame | works - out.pgm --format pgm
    { cat frame frame && printf 'P5 2 1 255\na'; } >short
    run --separate-stderr -3 "$GPUFILTER_BIN" - - --format pgm --stages invert <short
    err_has "standard input, picture 3: "
    { cat frame && printf 'P5 3 1 255\nabc'; } >other
    run --separate-stderr -3 "$GPUFILTER_BIN" - - --format pgm --stages invert <other
    err_has "picture 2 has 3 x 1"
}

# The samples of a picture that Pillow reads, as its tobytes has them.
pillow() { # FILE [PAGE]
    /usr/bin/python3 -c 'import sys
from PIL import Image
image = Image.open(sys.argv[1])
image.seek(int(sys.argv[2]) - 1)
sys.stdout.buffer.write(image.tobytes())' "$1" "${2:-1}" | od -An -v -tx1 | tr -s ' \n' ' ' | sed 's/^ //; s/ $//'
}

@test "TIFF: what is written is what Pillow and tiffinfo read; pages, and what there are" {
    built tiff || skip "no TIFF"
    colours
    works colours.npy a.tif
    works info a.tif
    [[ $output == "a.tif: tiff, 2 x 2 RGB u8, 8 bits a sample in "*" bytes; compression AdobeDeflate" ]]
    ! command -v tiffinfo >/dev/null || tiffinfo a.tif | grep -q 'Predictor: horizontal differencing 2'
    gf colours.npy - --format tiff | cmp - a.tif
    gf - b.npy <a.tif
    cmp b.npy colours.npy
    /usr/bin/python3 -c 'import PIL' 2>/dev/null || skip "no Pillow"
    [ "$(pillow a.tif)" = "$(samples colours.npy)" ]
    npy deep.npy '<u2' '2, 3' 00 01 02 03 04 05 06 07 08 09 0a 0b
    works deep.npy deep.tif
    [ "$(pillow deep.tif)" = "$(samples deep.npy)" ]
    /usr/bin/python3 -c 'from PIL import Image
first = Image.frombytes("RGB", (2, 1), bytes(range(6)))
first.save("pages.tif", save_all=True, append_images=[Image.frombytes("L", (3, 1), b"abc")], compression="tiff_lzw")'
    works pages.tif out.npy
    err_is "note: pages.tif: page 1 of 2"
    [ "$(samples out.npy)" = "00 01 02 03 04 05" ]
    works pages.tif out.npy --page 2
    [ -z "$stderr" ]
    [ "$(samples out.npy)" = "61 62 63" ]
    fails 3 pages.tif out.npy --page 3
    err_is "error: pages.tif: there is no page 3: it has 2 pages"
    fails 2 pages.tif out.npy --page 0
    fails 3 a.tif out.npy --page 2
    err_is "error: a.tif: there is no page 2: it has 1 page"
    works info pages.tif --json
    [ "$(jq -c '.files[0] | [.pages, .compression]' <<<"$output")" = '[2,"LZW"]' ]
}

@test "TIFF: u32 and f32 are written as they are" {
    built tiff || skip "no TIFF"
    npy parts.npy '|u1' '1, 5' ff 00 ff ff 00
    works parts.npy labels.tif --stages label
    [ -z "$stderr" ]
    works compare labels.tif labels.tif
    works info labels.tif
    [[ $output == *"32 bits a sample"* ]]
    npy light.npy '<f4' '2, 1' 00 00 80 3f 00 00 00 bf
    works light.npy light.tif
    works light.tif back.npy
    cmp light.npy back.npy
}

@test "WebP: without loss, or with --quality; Pillow reads the same" {
    built webp || skip "no WebP"
    npy grain.npy '|u1' '32, 32, 3' < <(tail -c 3072 "$GPUFILTER_BIN")
    works grain.npy a.webp
    works grain.npy b.webp --quality 40
    [ -z "$stderr" ]
    [ "$(stat -c %s b.webp)" -lt "$(stat -c %s a.webp)" ]
    works info a.webp b.webp
    [[ ${lines[0]} == *"; compression lossless" ]]
    [[ ${lines[1]} == *"; compression lossy" ]]
    works grain.npy out.png --quality 40
    err_is "note: --quality changes nothing: OUT is neither JPEG nor WebP"
    /usr/bin/python3 -c 'import PIL' 2>/dev/null || skip "no Pillow"
    [ "$(pillow a.webp)" = "$(samples grain.npy)" ]
    works b.webp b.npy
    [ "$(pillow b.webp)" = "$(samples b.npy)" ]
}

seeds=$BATS_TEST_DIRNAME/../fuzz/seeds

@test "GIF: frames by --page, as Pillow reads them; only read" {
    grep -q '^gif .*(only read)' <<<"$(gf list formats)" || skip "no GIF"
    cp "$seeds/gif/opaque" a.gif
    works info a.gif
    out_is "a.gif: gif, 12 x 10 RGB u8, 8 bits a sample in 195 bytes; 3 pages; page 1 of 3"
    works a.gif first.png
    err_is "note: a.gif: page 1 of 3"
    works a.gif third.npy --page 3
    [ -z "$stderr" ]
    cp "$seeds/gif/clear" clear.gif
    works clear.gif clear.npy
    fails 2 a.gif out.gif
    err_has "out.gif: gif is only read; this build writes png, "
    head -c 150 a.gif >cut.gif
    fails 3 cut.gif out.png
    err_is "error: cut.gif: damaged GIF: it ends early"
    /usr/bin/python3 -c 'import PIL' 2>/dev/null || skip "no Pillow"
    [ "$(pillow a.gif 3)" = "$(samples third.npy)" ]
    [ "$(/usr/bin/python3 -c 'from PIL import Image
print(Image.open("clear.gif").convert("RGBA").split()[3].tobytes().hex(" "))')" = \
        "$(samples clear.npy | tr ' ' '\n' | awk 'NR % 4 == 0' | paste -sd' ')" ]
}

@test "HEIF and AVIF: what is kept, and where it goes; only read" {
    grep -q '^heif .*(only read)' <<<"$(gf list formats)" || skip "no HEIF"
    cp "$seeds/heif/metadata_av1" a.avif
    cp "$seeds/heif/turned_hevc" b.heic
    works info a.avif b.heic
    [[ ${lines[0]} == "a.avif: heif, 9 x 7 RGB u8, 8 bits a sample in "*"; compression AV1; ICC profile of 132 bytes; EXIF of 26 bytes" ]]
    [[ ${lines[1]} == "b.heic: heif, 7 x 9 RGB u8, "*"; compression HEVC" ]]
    works a.avif a.png
    err_is "note: a.png: png has no room for the XMP or IPTC of a.avif; jpeg has"
    grep -aq eXIf a.png
    works a.avif b.png --strip
    [ -z "$stderr" ]
    ! grep -aq eXIf b.png || return 1
    grep -aq iCCP b.png
    works - b.npy -s invert <b.heic
    fails 2 a.png out.avif
    err_has "out.avif: heif is only read; this build writes png, "
    head -c 300 a.avif >cut.avif
    fails 3 cut.avif out.png
    err_has "cut.avif: "
}

@test "y4m: all frames go through a pipe, with their rate; the first of a file, with a note" {
    { printf 'YUV4MPEG2 W4 H2 F30000:1001 Ip A1:1 C420mpeg2\n' &&
        for frame in 1 2 3; do printf 'FRAME\n\x40\x50\x60\x70\x40\x50\x60\x7'$frame'\x80\x84\x7c\x80'; done; } >in.y4m
    gf - - --format y4m <in.y4m >out.y4m
    { printf 'YUV4MPEG2 W4 H2 F30000:1001 Ip A1:1 C420mpeg2 XCOLORRANGE=LIMITED\n' && tail -n +2 in.y4m; } >expected.y4m
    cmp out.y4m expected.y4m
    gf in.y4m - --format y4m | cmp - expected.y4m
    gf in.y4m - --format ppm --stages invert >three.ppm
    [ "$(grep -ao 'P6' three.ppm | wc -l)" = 3 ]
    gf - - --format y4m --stages invert <three.ppm | head -n 1 >head
    [ "$(cat head)" = "YUV4MPEG2 W4 H2 F25:1 Ip A0:0 C444 XCOLORRANGE=LIMITED" ]
    gf in.y4m - --format y4m --stages gray,blend:before:opacity=50 --input before=- 2>/dev/null | head -n 1 >head
    works in.y4m first.npy
    err_is "note: in.y4m: several frames: only the first is read; all are, where OUT is standard output"
    works in.y4m --stages stats
    head -c 70 in.y4m >cut.y4m
    ! gf cut.y4m - --format y4m >part.y4m 2>said || return 1
    grep -q 'cut.y4m, picture 2: the file ends early: ' said
    sed '1s/Ip/It/' in.y4m >laced.y4m
    fails 3 laced.y4m out.png
    err_has "its frames are interlaced (It)"
}

@test "PNG: --palette: of few colours, behind quantize, in bands, and where there is none" {
    npy few.npy '|u1' '2, 3, 3' 08 90 30 ff 20 f0 40 60 c8 ff 20 f0 08 90 30 08 90 30
    works few.npy plain.png
    works few.npy on.png --palette on
    [[ $(gf info plain.png) == *"8 bits a sample"* && $(gf info on.png) == *"RGB u8, 2 bits a sample"* ]]
    works compare plain.png on.png
    works few.npy off.png --palette off
    cmp off.png plain.png
    works few.npy gray.png --palette on --stages gray,threshold:100u8,stats
    [[ $(gf info gray.png) == *"gray u8, 1 bits a sample"* ]]
    works few.npy again.png -q --stages quantize:4,stats
    cmp again.png on.png
    works few.npy again.png --stages quantize:4,blur
    [[ $(gf info again.png) == *"8 bits a sample"* ]]
    works few.npy out.npy --palette on
    err_is "note: --palette changes nothing: OUT is no PNG"
    sample=$BATS_TEST_DIRNAME/../../samples/sample.png
    fails 2 "$sample" many.png --palette on
    err_has "many.png: has more than 256 colours"
    fails 2 "$sample" many.png --memory 5M --palette on --stages quantize:16
    err_has "many.png: --palette on needs the whole picture, but --memory makes 2 bands of it"
    [ ! -e many.png ]
    works "$sample" many.png -v --memory 5M --stages quantize:16
    err_has "many.png: without a palette, since the picture is filtered in bands"
}

@test "JPEG: --progressive has the same pixels; --strip leaves EXIF and XMP out and keeps the profile" {
    built jpeg || skip "no JPEG"
    npy grain.npy '|u1' '64, 64, 3' < <(tail -c 12288 "$GPUFILTER_BIN")
    works grain.npy a.jpg
    works grain.npy b.jpg --progressive
    od -An -v -tx1 b.jpg | tr -d ' \n' | grep -q ffc2
    works compare a.jpg b.jpg
    works grain.npy a.png --progressive
    err_is "note: --progressive changes nothing: OUT is no JPEG"
    # EXIF and XMP behind the first two bytes
    { head -c 2 a.jpg && printf '\xff\xe1\x00\x10Exif\0\0II*\0\x08\0\0\0' &&
        printf '\xff\xe1\x00\x24http://ns.adobe.com/xap/1.0/\0<x/>\n' && tail -c +3 a.jpg; } >said.jpg
    works said.jpg kept.jpg
    grep -aq xap kept.jpg
    grep -aq Exif kept.jpg
    works said.jpg bare.jpg --strip
    [ -z "$stderr" ]
    ! grep -aq 'xap\|Exif' bare.jpg || return 1
    works said.jpg out.png
    err_has "png has no room for the XMP or IPTC of said.jpg"
    works said.jpg out.png --strip
    [ -z "$stderr" ]
    built tiff || skip "no TIFF"
    works said.jpg out.tif
    [ -z "$stderr" ]
    works out.tif again.jpg
    grep -aq xap again.jpg
}

# An EXIF with the camera, an exposure of 1/125 and, in bytes of the other order, GPS: hexadecimal, little-endian or big.
exif_of() { # ORDER
    if [ "$1" = II ]; then
        echo 49492a0008000000 0300 0f01020003000000 41420000 6987040001000000 32000000 2588040001000000 54000000 00000000 \
            0100 9a82050001000000 44000000 00000000 01000000 7d000000 0000000000000000 \
            0100 0100020002000000 4e000000 00000000
    else
        echo 4d4d002a00000008 0003 010f000200000003 41420000 8769000400000001 00000032 8825000400000001 00000054 00000000 \
            0001 829a000500000001 00000044 00000000 00000001 0000007d 0000000000000000 \
            0001 0001000200000002 4e000000 00000000
    fi | tr -d ' ' | sed 's/../\\x&/g'
}

@test "TIFF: EXIF and GPS go to it and back, in either order of bytes, and through a pipe" {
    built jpeg && built tiff || skip "not built in"
    npy grain.npy '|u1' '64, 64, 3' < <(tail -c 12288 "$GPUFILTER_BIN")
    works grain.npy a.jpg
    for order in II MM; do
        exif=$(exif_of $order)
        printf "$exif" >exif.bin
        size=$(($(wc -c <exif.bin) + 8))
        { head -c 2 a.jpg && printf '\xff\xe1\x00'"\\x$(printf %02x $size)"'Exif\0\0' && cat exif.bin && tail -c +3 a.jpg; } >said.jpg
        works said.jpg out.tif
        [ -z "$stderr" ]
        gf said.jpg - --format tiff | cat >piped.tif
        works out.tif back.png
        works piped.tif piped.png
        cmp back.png piped.png
        works out.tif bare.tif --strip
        [[ $(gf info --json bare.tif | jq '.files[0].exif_size // 0') = 0 ]]
        cat back.png >"back$order.png"
        works back.png again.tif
        works again.tif again.png
        cmp back.png again.png
        ! command -v exiftool >/dev/null || [ "$(exiftool -S -Make -ExposureTime -GPSLatitudeRef out.tif | tr '\n' ' ')" = \
            "Make: AB ExposureTime: 1/125 GPSLatitudeRef: North " ]
    done
    cmp backII.png backMM.png
    grep -aq eXIf backII.png
    for file in exif_big_endian exif_bigtiff; do # the same camera, exposure and place
        cp "$seeds/tiff/$file" $file.tif
        works $file.tif $file.png
        [ -z "$stderr" ]
    done
    cmp exif_big_endian.png exif_bigtiff.png
    npy wide.npy '|u1' '3, 5' < <(head -c 15 grain.npy)
    works wide.npy wide.tif
    [[ $(gf info wide.tif) != *EXIF* ]]
}

@test "HDR that becomes integers as it is: a note" {
    built hdr || skip "no HDR"
    npy light.npy '<f4' '1, 1, 3' 00 00 80 3e 00 00 00 3f 00 00 80 3f
    works light.npy light.hdr
    works light.hdr out.png
    err_has "light.hdr: HDR is linear light, and out.png as u16 is taken for sRGB: the stage srgb converts it"
    works light.hdr out.png --stages srgb
    [[ $stderr != *"linear light"* ]]
    works light.hdr out.pfm
    [ -z "$stderr" ]
}
