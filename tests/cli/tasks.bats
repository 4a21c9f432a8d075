# Photographs: tasks that people ask for (tasks.bash says how they are checked).
load tasks

@test "T2: a face is blurred inside its rectangle, and nothing else is touched" {
    scene
    gf scene.npy out.png -q --stages blur:2:roi=6x6+3+4
    paste <(numbers scene.npy) <(numbers out.png) | awk '
        { for (x = 1; x <= 16; x++) {
            inside = x > 3 && x <= 9 && NR > 4 && NR <= 10
            if ($x != $(x + 16)) { if (inside) changed++; else wrong++ } } }
        END { exit wrong || changed < 12 }'
}

@test "T4: a thumbnail fits into 200 x 200 and keeps the shape of the picture" {
    npy tall.npy '|u1' '400, 300' < <(head -c 120000 /dev/zero)
    npy wide.npy '|u1' '150, 600' < <(head -c 90000 /dev/zero)
    gf tall.npy a.png -q --stages resize:200x200:fit=inside
    gf wide.npy b.png -q --stages resize:200x200:fit=inside
    [ "$(size a.png)" = "150 200" ]
    [ "$(size b.png)" = "200 50" ]
}

@test "T4: a thumbnail of half the size has the means of 2 x 2 pixels" {
    scene
    gf scene.npy half.png -q --stages resize:50%:filter=box
    numbers scene.npy | awk 'NR % 2 { split($0, up); next }
        { for (x = 1; x < 16; x += 2) printf " %d", (up[x] + up[x + 1] + $x + $(x + 1) + 2) / 4; print "" }' >wanted
    diff -w wanted <(numbers half.png)
}

@test "T5: a picture is cut out, turned by a quarter and mirrored without loss" {
    scene
    gf scene.npy out.png -q --stages crop:5x4+3+5,rotate:90,flip:x
    numbers scene.npy | awk 'NR > 5 && NR <= 9 { for (x = 4; x <= 8; x++) column[x] = column[x] " " $x }
        END { for (x = 4; x <= 8; x++) print column[x] }' >wanted # turned and mirrored it is transposed
    diff -w wanted <(numbers out.png)
    gf scene.npy half.png -q --stages crop:50%x50%
    numbers scene.npy | awk 'NR > 3 && NR <= 9 { for (x = 5; x <= 12; x++) printf " %d", $x; print "" }' >wanted
    diff -w wanted <(numbers half.png)
}

@test "T6: a photograph of a phone stands upright, once" {
    needs jpeg
    noise flat.npy 40 24 3 1
    gf flat.npy flat.jpg -q
    { # EXIF that says: to be turned by a quarter
        head -c 2 flat.jpg
        printf '\xff\xe1\x00\x22Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0'
        tail -c +3 flat.jpg
    } >phone.jpg
    gf phone.jpg up.png -q
    [ "$(size up.png)" = "24 40" ]
    gf flat.jpg turned.png -q --stages rotate:90
    cmp <(numbers turned.png) <(numbers up.png)
    gf up.png again.png -q
    cmp <(numbers up.png) <(numbers again.png)
}

@test "T9: edges are those of OpenCV's Canny" {
    gf "$(oracle in_gray8.npy)" out.npy -q --stages canny:100u8:high=300u8:sigma=0
    is_oracle out.npy canny100_300_gray8
}

@test "T10: a sharpened page is SciPy's page and what its blur loses" {
    gf "$(oracle tasks/page.npy)" out.npy -q --stages unsharp:1.5:amount=0.8
    is_oracle out.npy tasks/page_sharpened
}

@test "T12: without its cast the mean of a picture is gray" {
    noise white.npy 16 16 3 4
    gf white.npy cast.png -q --stages 'gain:[0.5 0.7 0.9]'
    gf cast.png out.png -q --stages whitebalance:gray
    numbers out.png | awk '{ for (i = 1; i <= NF; i++) sum[i % 3] += $i }
        END { r = sum[1] / 256; g = sum[2] / 256; b = sum[0] / 256; exit !(r > 60 && (r - g) ^ 2 < 1 && (g - b) ^ 2 < 1) }'
    gf white.npy out.png -q --stages gain:0.8
    paste <(numbers white.npy) <(numbers out.png) |
        awk '{ for (i = 1; i <= 48; i++) { d = $i * 0.8 - $(i + 48); if (d > 0.51 || d < -0.51) exit 1 } }'
}

@test "T13: salt and pepper goes, and an edge stays where it is" {
    scene
    awk '{ $40 = "ff"; $90 = "00"; print }' scene.txt >salted.txt
    npy salted.npy '|u1' '12, 16' $(<salted.txt)
    gf salted.npy out.png -q --stages median:1
    numbers out.png | awk 'NR < 4 { for (x = 1; x <= 16; x++) if ($x != (x <= 8 ? 10 : 200)) exit 1 }'
}

@test "T16: luminance is spread evenly, as by the table of its histogram" {
    gf "$(oracle in_rgb8.npy)" out.npy -q --stages equalize:channels=luma
    is_oracle out.npy luma_equalize_rgb8
}

@test "N1: a watermark of 40 % lies in the lower right corner, 2 pixels from both edges" {
    scene
    noise logo.npy 5 4 1 2
    gf scene.npy out.png -q --stages blend:@logo.npy:at=southeast+2+2:amount=0.4
    { numbers logo.npy && echo && numbers scene.npy; } | awk 'NF == 5 { for (x = 1; x <= 5; x++) logo[NR, x] = $x; next }
        NF { y++; for (x = 1; x <= 16; x++) {
            v = $x; if (y > 6 && y <= 10 && x > 9 && x <= 14) v = v * 0.6 + logo[y - 6, x - 9] * 0.4
            printf " %d", v + 0.5 }; print "" }' >wanted
    paste wanted <(numbers out.png) | awk '{ for (x = 1; x <= 16; x++) { d = $x - $(x + 16); if (d * d > 1) exit 1
        if (d) off++ } } END { exit off > 2 }' # a half may fall either way
}

@test "N3: two pictures stand side by side, the smaller one in the middle, with a gap of white" {
    scene
    noise small.npy 5 4 1 3
    gf scene.npy out.png -q --stages beside:@small.npy:gap=2:align=centre:colour=white
    paste <(numbers scene.npy) <(printf '\n\n\n\n' && numbers small.npy && printf '\n\n\n\n') | awk '{ printf "%s", $1
        for (x = 2; x <= 16; x++) printf " %d", $x
        printf " 255 255"; for (x = 17; x <= 21; x++) printf " %d", (NF > 16 ? $x : 255); print "" }' >wanted
    diff -w wanted <(numbers out.png)
}

@test "N15: light of a .hdr is brought between black and white, for a display" {
    needs hdr
    npy light.npy '<f4' '1, 4, 3' $(for v in 00000000 0000803e 0000803f 00004040; do for c in r g b; do
        for i in 0 2 4 6; do printf '%s ' ${v:i:2}; done; done; done) # 0, 0.25, 1 and 3
    gf light.npy light.hdr -q
    gf light.hdr out.png -q --depth u8 --stages tonemap,srgb
    numbers out.png | awk 'function srgb(v) { return v <= 0.0031308 ? 12.92 * v : 1.055 * exp(log(v) / 2.4) - 0.055 }
        { split("0 0.25 1 3", v, " "); for (i = 1; i <= 4; i++) { w = 255 * srgb(v[i] / (1 + v[i]))
            d = w - $(3 * i - 1); if (d > 1.01 || d < -1.01) exit 1 } }'
}

@test "N21: local contrast is OpenCV's CLAHE" {
    gf "$(oracle in_gray8.npy)" out.npy -q --stages clahe:2:tiles=8x8
    is_oracle out.npy clahe2_8x8_gray8
}

@test "N23: a rectangle is made of blocks, each the mean of its pixels, and nothing else is touched" {
    noise in.npy 16 12 1 6
    gf in.npy out.png -q --stages pixelate:4:roi=8x8+4+2
    numbers in.npy | awk '{ for (x = 1; x <= 16; x++) v[NR, x] = $x }
        END { for (y = 1; y <= 12; y++) { for (x = 1; x <= 16; x++) { w = v[y, x]
            if (x > 4 && x <= 12 && y > 2 && y <= 10) { s = 0; a = 3 + 4 * int((y - 3) / 4); b = 5 + 4 * int((x - 5) / 4)
                for (i = 0; i < 4; i++) for (k = 0; k < 4; k++) s += v[a + i, b + k]
                w = int(s / 16 + 0.5) }
            printf " %d", w } print "" } }' >wanted
    diff -w wanted <(numbers out.png)
}

@test "N24: a gradient follows the place, and a vignette darkens the corners and not the middle" {
    noise in.npy 16 12 1 7
    gf in.npy out.png -q --stages 'expr:"v*(1-x/width)"'
    paste <(numbers in.npy) <(numbers out.png) | awk '{ for (x = 1; x <= 16; x++) {
        d = $x * (1 - (x - 1) / 16) - $(x + 16); if (d > 0.51 || d < -0.51) exit 1 } }'
    npy flat.npy '|u1' '31, 31' < <(head -c 961 /dev/zero | tr '\0' '\310')
    gf flat.npy out.png -q --stages vignette:0.7
    numbers out.png | awk 'NR == 16 { middle = $16 } NR == 1 { corner = $1; other = $31 }
        END { exit !(middle == 200 && corner < 100 && corner == other) }'
}

@test "N36: a look of a .cube file is applied to each pixel" {
    { echo 'LUT_3D_SIZE 2' && for b in 0 1; do for g in 0 1; do for r in 0 1; do echo "$((1 - r)) $g $b"; done; done; done; } >red.cube
    noise in.npy 12 8 3 8
    gf in.npy out.png -q --stages lut:@red.cube # red becomes its negative
    paste <(numbers in.npy) <(numbers out.png) |
        awk '{ for (i = 1; i <= 36; i++) if ($(i + 36) != (i % 3 == 1 ? 255 - $i : $i)) exit 1 }'
}

@test "N37: what is green becomes transparent, and another picture shows there" {
    noise in.npy 12 8 3 9
    noise behind.npy 12 8 3 10
    gf in.npy keyed.png -q --stages 'alpha:add,expr:"r;g;b;if(g-max(r,b)>0.25,0,1)"'
    gf behind.npy out.png -q --stages blend:@keyed.png
    paste <(numbers in.npy) <(numbers behind.npy) <(numbers out.png) | awk '{ for (i = 1; i <= 36; i += 3) {
        most = $i > $(i + 2) ? $i : $(i + 2); green = ($(i + 1) - most) / 255 > 0.25; seen += green
        for (c = 0; c < 3; c++) if ($(i + c + 72) != (green ? $(i + c + 36) : $(i + c))) exit 1 } }
        END { exit seen < 5 }'
}

@test "N38: only what is larger is made smaller" {
    noise small.npy 40 30 1 1
    noise large.npy 120 30 1 1
    gf small.npy a.png -q --stages resize:80x60:fit=inside:enlarge=off
    gf large.npy b.png -q --stages resize:80x60:fit=inside:enlarge=off
    cmp <(numbers small.npy) <(numbers a.png)
    [ "$(size b.png)" = "80 20" ]
}

@test "alpha: an icon with alpha on white becomes a JPEG of white where it was clear" {
    needs jpeg
    npy icon.npy '|u1' '8, 8, 4' < <(for ((i = 0; i < 64; i++)); do printf '\0\0\0\0'; done)
    gf icon.npy out.jpg -q --stages alpha:over:colour=1
    gf out.jpg -q --stages stats --report - | jq -e '.input.channels == 3 and (.results[0].min | min) >= 254'
}

@test "N22: few colours: by hand for three ways to put them, the palette as a table, and 5 bytes of colours stay 5" {
    npy flat.npy '|u1' '2, 5' 64 64 64 64 64 64 64 64 64 64
    gf flat.npy floyd.pgm -q --stages 'quantize:palette=[0; 200]'
    [ "$(numbers floyd.pgm 5 | head -n 1)" = "   0 200   0 200   0" ]
    [ "$(numbers floyd.pgm 5 | awk 'NR == 2 { print $1 }')" = 200 ]
    gf flat.npy none.pgm -q --stages 'quantize:dither=none:palette=[0; 200]' # equally near: the first
    [ "$(numbers none.pgm 5 | tr -s ' \n' ' ')" = " 0 0 0 0 0 0 0 0 0 0 " ]
    gf flat.npy ordered.pgm -q --stages 'quantize:dither=ordered:spread=255:palette=[0; 200]'
    [ "$(numbers ordered.pgm 5 | head -n 1)" = "   0 200   0 200   0" ]
    npy inks.npy '|u1' '1, 4' 00 c8 00 c8 # the colours of a picture, each once
    gf inks.npy inks.pgm -q
    gf flat.npy again.pgm -q --stages quantize:palette=@inks.pgm
    cmp floyd.pgm again.pgm
    gf inks.npy inks.png -q --depth u16
    fails 3 flat.npy no.pgm --stages quantize:palette=@inks.png
    err_has "inks.png: has samples of u16, and colours of a palette are of u8"
    fails 3 flat.npy no.pgm --stages "quantize:palette=@$BATS_TEST_DIRNAME/../../samples/sample.png"
    err_has "has more than 256 colours"
    fails 2 flat.npy no.pgm --stages 'quantize:4:palette=[0; 200]'
    err_has "palette= gives them: leave one of the two out"
    fails 2 flat.npy no.pgm --stages 'quantize:palette=[0; 200.5]'
    err_has "                  ^~~~~~~~~~" # at the palette, not at the stage
    npy five.npy '|u1' '2, 6' 05 10 40 80 ff 05 05 10 40 80 ff 05
    gf five.npy five.pgm --report found.json --stages quantize:256
    [ "$(numbers five.pgm | head -n 1)" = "   5  16  64 128 255   5" ]
    [ "$(jq ".results[0].count[0]" found.json)" = 5 ]
    gf "$BATS_TEST_DIRNAME/../../samples/sample.png" a.png -q --threads 1 --stages quantize:16
    gf "$BATS_TEST_DIRNAME/../../samples/sample.png" b.png -q --threads 3 --memory 5M --stages quantize:16
    works compare a.png b.png # in bands there is no palette
    gf "$BATS_TEST_DIRNAME/../../samples/sample.png" off.png -q --palette off --stages quantize:16
    cmp b.png off.png
    [ $((2 * $(stat -c %s a.png))) -le "$(stat -c %s off.png)" ]
    [[ $(gf info a.png) == *"RGB u8, 4 bits a sample"* ]]
    mkdir in
    cp "$BATS_TEST_DIRNAME/../../samples/sample.png" in/a.png
    gf batch in -q -o many --stages quantize:16
    cmp a.png many/a.png
}
