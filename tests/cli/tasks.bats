# What people ask for, each by one command, and checked by what awk, jq and cmp make of the samples.
load common

# A picture of 16 x 12, u8: left half 10, right half 200, but a square of 3 x 3 with 90 at column 4, row 5.
scene() {
    awk 'BEGIN { for (y = 0; y < 12; y++) for (x = 0; x < 16; x++)
        printf " %02x", (x >= 4 && x < 7 && y >= 5 && y < 8 ? 90 : x < 8 ? 10 : 200) }' >scene.txt
    npy scene.npy '|u1' '12, 16' $(<scene.txt)
}

# The samples of a picture as numbers of u8, a row a line: numbers FILE WIDTH
numbers() {
    [ -e "$1.pgm" ] || gf "$1" "$1.pgm" -q
    tail -c +"$(($(wc -c <"$1.pgm") - $2 * $(gf "$1" -q --stages stats --report - | jq .input.height) + 1))" "$1.pgm" |
        od -An -v -tu1 -w"$2"
}

size() { # FILE: WIDTH HEIGHT
    gf "$1" -q --stages stats --report - | jq -r '"\(.input.width) \(.input.height)"'
}

@test "a thumbnail fits into 200 x 200 and keeps the shape of the picture" {
    npy tall.npy '|u1' '400, 300' < <(head -c 120000 /dev/zero)
    npy wide.npy '|u1' '150, 600' < <(head -c 90000 /dev/zero)
    gf tall.npy a.png -q --stages resize:200x200:fit=inside
    gf wide.npy b.png -q --stages resize:200x200:fit=inside
    [ "$(size a.png)" = "150 200" ]
    [ "$(size b.png)" = "200 50" ]
}

@test "a thumbnail of half the size has the means of 2 x 2 pixels" {
    scene
    gf scene.npy half.png -q --stages resize:50%:filter=box
    numbers scene.npy 16 | awk 'NR % 2 { split($0, up); next }
        { for (x = 1; x < 16; x += 2) printf " %d", (up[x] + up[x + 1] + $x + $(x + 1) + 2) / 4; print "" }' >wanted
    diff -w wanted <(numbers half.png 8)
}

@test "a face is blurred inside its rectangle, and nothing else is touched" {
    scene
    gf scene.npy out.png -q --stages blur:2:roi=6x6+3+4
    paste <(numbers scene.npy 16) <(numbers out.png 16) | awk '
        { for (x = 1; x <= 16; x++) {
            inside = x > 3 && x <= 9 && NR > 4 && NR <= 10
            if ($x != $(x + 16)) { if (inside) changed++; else wrong++ } } }
        END { exit wrong || changed < 12 }'
}

@test "salt and pepper goes, and an edge stays where it is" {
    scene
    awk '{ $40 = "ff"; $90 = "00"; print }' scene.txt >salted.txt
    npy salted.npy '|u1' '12, 16' $(<salted.txt)
    gf salted.npy out.png -q --stages median:1
    numbers out.png 16 | awk 'NR < 4 { for (x = 1; x <= 16; x++) if ($x != (x <= 8 ? 10 : 200)) exit 1 }'
}

@test "bright blobs are counted, with their areas and boxes" {
    awk 'BEGIN { for (y = 0; y < 12; y++) for (x = 0; x < 16; x++)
        printf " %s", ((x < 3 && y < 2) || (x > 9 && x < 12 && y > 4) || (x == 15 && y == 0) ? "ff" : "10") }' >blobs.txt
    npy blobs.npy '|u1' '12, 16' $(<blobs.txt)
    works blobs.npy --stages threshold:0.5,label --table - -q
    [ "$(wc -l <<<"$output")" = 4 ]
    [ "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "area") at = i; next } { print $at }' <<<"$output" | paste -sd ' ')" = "6 1 14" ]
}

@test "a moved object shows against the empty background, and only there" {
    scene
    sed 's/ 5a/ 0a/g' scene.txt >empty.txt
    npy empty.npy '|u1' '12, 16' $(<empty.txt)
    gf scene.npy mask.png -q --stages difference:@empty.npy,threshold:20u8
    numbers mask.png 16 | awk '{ for (x = 1; x <= 16; x++) if ($x != (x > 4 && x <= 7 && NR > 5 && NR <= 8 ? 255 : 0)) exit 1 }'
}

@test "uneven light goes, and the marks on it stay" {
    awk 'BEGIN { for (y = 0; y < 12; y++) for (x = 0; x < 16; x++) printf " %02x", 20 + 8 * x + (x % 6 == 3 && y == 5 ? 80 : 0) }' >slope.txt
    npy slope.npy '|u1' '12, 16' $(<slope.txt)
    works slope.npy --stages tophat:5,threshold:40u8,label --table - -q
    [ "$(tail -n +2 <<<"$output" | wc -l)" = 3 ]
}

@test "a picture is cut out, turned by a quarter and mirrored without loss" {
    scene
    gf scene.npy out.png -q --stages crop:5x4+3+5,rotate:90,flip:x
    numbers scene.npy 16 | awk 'NR > 5 && NR <= 9 { for (x = 4; x <= 8; x++) column[x] = column[x] " " $x }
        END { for (x = 4; x <= 8; x++) print column[x] }' >wanted # turned and mirrored it is transposed
    diff -w wanted <(numbers out.png 4)
}

@test "the brightest of several exposures, pixel by pixel" {
    scene
    gf scene.npy other.npy -q --stages flip:x
    gf scene.npy out.png -q --stages blend:@other.npy:mode=max
    paste <(numbers scene.npy 16) <(numbers other.npy 16) <(numbers out.png 16) |
        awk '{ for (x = 1; x <= 16; x++) if ($(x + 32) != ($x > $(x + 16) ? $x : $(x + 16))) exit 1 }'
}

@test "blurred photographs are told by the spread of their laplacian" {
    scene
    gf scene.npy soft.npy -q --stages blur:2
    for name in scene soft; do
        gf $name.npy -q --stages convert:f32,laplacian,stats --report - | jq '.results[0].stddev[0]'
    done | awk '{ s[NR] = $1 } END { exit !(s[1] > 4 * s[2] && s[2] > 0) }'
}

@test "a histogram counts what is there" {
    scene
    gf scene.npy -q --stages hist --report - | jq -c '.results[0].counts | flatten | [.[10], .[90], .[200], add]' >counts
    numbers scene.npy 16 | awk '{ for (x = 1; x <= 16; x++) n[$x]++ } END { printf "[%d,%d,%d,192]\n", n[10], n[90], n[200] }' >wanted
    diff wanted counts
}

@test "a stereo recording keeps its channels apart" {
    awk 'BEGIN { for (i = 0; i < 200; i++) print (i % 20 < 10 ? 0.5 : -0.5) ",0" }' >in.csv
    gf in.csv out.csv -q --stages median:2
    [ "$(awk -F, '$2 != 0' out.csv | wc -l)" = 0 ]
    [ "$(awk -F, '$1 * $1 == 0.25' out.csv | wc -l)" = 200 ]
}

@test "a moving median of a column is that of awk" {
    awk 'BEGIN { for (i = 0; i < 60; i++) print (i * 37) % 101 }' >in.csv
    gf in.csv out.csv -q --stages median:1
    awk '{ v[NR] = $1 } END { for (i = 2; i < NR; i++) { a = v[i - 1]; b = v[i]; c = v[i + 1]
        print (a > b ? (b > c ? b : a < c ? a : c) : (a > c ? a : b < c ? b : c)) } }' in.csv >wanted
    diff wanted <(sed '1d;$d' out.csv)
}

@test "an icon with alpha on white becomes a JPEG of white where it was clear" {
    npy icon.npy '|u1' '8, 8, 4' < <(for ((i = 0; i < 64; i++)); do printf '\0\0\0\0'; done)
    gf icon.npy out.jpg -q --stages alpha:over:colour=1
    gf out.jpg -q --stages stats --report - | jq -e '.input.channels == 3 and (.results[0].min | min) >= 254'
}

@test "a page that lies askew lies level, and a second look finds nothing" {
    awk 'BEGIN { for (y = 0; y < 90; y++) for (x = 0; x < 160; x++) {
        line = y - int(x * 0.0524 + 0.5) # 3 degrees
        printf "%c", (line % 12 < 5 && (x * 7 + int(line / 12) * 5) % 11 < 8 ? 48 : 122) } }' >page.bin
    npy page.npy '|u1' '90, 160' <page.bin
    gf page.npy level.png -q --stages deskew:expand=off:border=replicate --report - |
        jq -e '.results[0].angle[0] | . >= 2.9 and . <= 3.1'
    gf level.png -q --stages skew --report - | jq -e '.results[0].angle[0] | . >= -0.1 and . <= 0.1'
}

@test "few colours: by hand for three ways to put them, the palette as a table, and 5 bytes of colours stay 5" {
    npy flat.npy '|u1' '2, 5' 64 64 64 64 64 64 64 64 64 64
    gf flat.npy floyd.pgm -q --stages 'quantize:palette=[0; 200]'
    [ "$(numbers floyd.pgm 5 | head -n 1)" = "   0 200   0 200   0" ]
    [ "$(numbers floyd.pgm 5 | awk 'NR == 2 { print $1 }')" = 200 ]
    gf flat.npy none.pgm -q --stages 'quantize:dither=none:palette=[0; 200]' # equally near: the first
    [ "$(numbers none.pgm 5 | tr -s ' \n' ' ')" = " 0 0 0 0 0 0 0 0 0 0 " ]
    gf flat.npy ordered.pgm -q --stages 'quantize:dither=ordered:spread=255:palette=[0; 200]'
    [ "$(numbers ordered.pgm 5 | head -n 1)" = "   0 200   0 200   0" ]
    npy five.npy '|u1' '1, 6' 05 10 40 80 ff 05
    gf five.npy five.pgm --report found.json --stages quantize:256
    [ "$(numbers five.pgm 6)" = "   5  16  64 128 255   5" ]
    [ "$(jq ".results[0].count[0]" found.json)" = 5 ]
    gf "$BATS_TEST_DIRNAME/../../samples/sample.png" a.png -q --threads 1 --stages quantize:16
    gf "$BATS_TEST_DIRNAME/../../samples/sample.png" b.png -q --threads 3 --memory 5M --stages quantize:16
    cmp a.png b.png
}
