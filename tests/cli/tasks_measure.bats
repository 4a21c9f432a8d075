# Pages, counting, measuring and comparing: tasks that people ask for (tasks.bash says how they are checked).
load tasks

page=tasks/page.npy

@test "T1: a scan becomes black and white as SciPy's median and scikit-image's sauvola make it" {
    gf "$(oracle $page)" out.npy -q --stages median:1,threshold:sauvola:radius=12
    is_oracle out.npy tasks/page_binarised
}

@test "T7: the histogram of a 16-bit TIFF counts what is there, in 256 bins" {
    needs tiff
    scene
    gf scene.npy deep.tif -q --depth u16
    gf deep.tif -q --stages hist --report - | jq -c '.results[0] | .counts[0], .hi[0] | numbers, (arrays | [.[10], .[90], .[200], add])' >counts
    numbers scene.npy | awk '{ for (x = 1; x <= 16; x++) n[$x]++ } END { printf "[%d,%d,%d,192]\n65535\n", n[10], n[90], n[200] }' >wanted
    diff wanted counts
    [ "$(head -c 2 deep.tif)" = II ]
}

@test "T8: a comparison in CI counts the samples that differ, and its exit code says so" {
    noise a.npy 20 10 1 1
    awk 'BEGIN { for (i = 0; i < 200; i++) print i % 40 == 7 ? 1 + i % 3 : 0 }' >change
    npy b.npy '|u1' '10, 20' $(paste <(numbers a.npy | tr -s ' ' '\n' | sed '/^$/d') change | awk '{ printf " %02x", ($1 + $2) % 256 }')
    run -1 gf compare a.npy b.npy
    [[ $output == *"differing  5 of 200 samples"* ]]
    works compare a.npy a.npy
    works compare a.npy b.npy --max-count 5
}

@test "T11: a moved object shows against the empty background, and only there" {
    scene
    sed 's/ 5a/ 0a/g' scene.txt >empty.txt
    npy empty.npy '|u1' '12, 16' $(<empty.txt)
    gf scene.npy mask.png -q --stages difference:@empty.npy,threshold:20u8
    numbers mask.png | awk '{ for (x = 1; x <= 16; x++) if ($x != (x > 4 && x <= 7 && NR > 5 && NR <= 8 ? 255 : 0)) exit 1 }'
}

@test "T14: bright blobs are counted, with their areas and boxes" {
    awk 'BEGIN { for (y = 0; y < 12; y++) for (x = 0; x < 16; x++)
        printf " %s", ((x < 3 && y < 2) || (x > 9 && x < 12 && y > 4) || (x == 15 && y == 0) ? "ff" : "10") }' >blobs.txt
    npy blobs.npy '|u1' '12, 16' $(<blobs.txt)
    works blobs.npy --stages threshold:0.5,label --table - -q
    [ "$(cut -d, -f2-6 <<<"$output" | tail -n +2 | paste -sd ' ')" = "6,0,0,3,2 1,15,0,1,1 14,10,5,2,7" ]
}

@test "T15: a threshold of each neighbourhood is OpenCV's" {
    gf "$(oracle in_gray8.npy)" out.npy -q --stages threshold:method=mean:radius=3:offset=0.0175
    is_oracle out.npy local_mean_gray8
}

@test "T17: numbers of one channel in a part are those of awk" {
    noise in.npy 16 12 3 5
    gf in.npy -q --stages stats:roi=5x4+3+2 --report - | jq -r '.results[0] | "\(.min[1]) \(.max[1]) \(.sum[1]) \(.count[1])"' >out
    numbers in.npy | awk 'NR > 2 && NR <= 6 { for (x = 3; x < 8; x++) { v = $(3 * x + 2); s += v; n++
        if (n == 1 || v < least) least = v; if (v > most) most = v } } END { print least, most, s, n }' >wanted
    diff wanted out
}

@test "N6: a page that lies askew lies level, and a second look finds nothing" {
    awk 'BEGIN { for (y = 0; y < 90; y++) for (x = 0; x < 160; x++) {
        line = y - int(x * 0.0524 + 0.5) # 3 degrees
        printf "%c", (line % 12 < 5 && (x * 7 + int(line / 12) * 5) % 11 < 8 ? 48 : 122) } }' >page.bin
    npy page.npy '|u1' '90, 160' <page.bin
    gf page.npy level.png -q --stages deskew:expand=off:border=replicate --report - |
        jq -e '.results[0].angle[0] | . >= 2.9 and . <= 3.1'
    gf level.png -q --stages skew --report - | jq -e '.results[0].angle[0] | . >= -0.1 and . <= 0.1'
}

@test "N7: a page stands upright by its corners, as OpenCV's matrix and SciPy's interpolation make it" {
    gf "$(oracle $page)" out.npy -q --stages 'warp:corners=[6 5; 63 9; 66 42; 3 39]:width=60:height=40'
    is_oracle out.npy tasks/page_upright
}

@test "N8: uneven light goes, and the marks on it stay" {
    awk 'BEGIN { for (y = 0; y < 12; y++) for (x = 0; x < 16; x++) printf " %02x", 20 + 8 * x + (x % 6 == 3 && y == 5 ? 80 : 0) }' >slope.txt
    npy slope.npy '|u1' '12, 16' $(<slope.txt)
    works slope.npy --stages tophat:5,threshold:40u8,label --table - -q
    [ "$(cut -d, -f2-6 <<<"$output" | tail -n +2 | paste -sd ' ')" = "1,3,5,1,1 1,9,5,1,1 1,15,5,1,1" ]
}

@test "N9: cells as rows of CSV, with the means of what the picture has there" {
    noise in.npy 16 12 1 11
    awk 'BEGIN { for (y = 0; y < 12; y++) for (x = 0; x < 16; x++) # two cells
        printf " %s", (x > 1 && x < 6 && y > 1 && y < 5) || (x > 8 && x < 14 && y > 6 && y < 11) ? "ff" : "00" }' >cells.txt
    npy cells.npy '|u1' '12, 16' $(<cells.txt)
    paste <(numbers in.npy) <(numbers cells.npy) | awk '{ for (x = 1; x <= 16; x++) if ($(x + 16)) { k = x < 8 ? 1 : 2; n[k]++
        s[k] += $x; cx[k] += x - 1; cy[k] += NR - 1 } }
        END { for (k = 1; k < 3; k++) printf "%d %.6f %.6f %.6f\n", n[k], cx[k] / n[k], cy[k] / n[k], s[k] / n[k] }' >wanted
    works in.npy --stages mask:@cells.npy,label --table - -q
    awk -F, 'NR > 1 { printf "%d %.6f %.6f %.6f\n", $2, $7, $8, $9 }' <<<"$output" | diff wanted -
    [ "$(awk -F, -v um=0.5 'NR > 1 { print $2 * um ^ 2 }' <<<"$output" | paste -sd ' ')" = "3 5" ] # 12 and 20 pixels
}

@test "N10: a button is found where it is, and where it is a little darker" {
    noise in.npy 24 18 1 12
    gf in.npy button.png -q --stages crop:5x4+3+9
    gf in.npy two.png -q --stages 'blend:@button.png:at=15+2,gain:0.8:roi=8x8+13+0'
    works two.png --stages match:@button.png:threshold=0.98 --table - -q
    [ "$(tail -n +2 <<<"$output" | cut -d, -f1-4 | sort | paste -sd ' ')" = "15,2,5,4 3,9,5,4" ]
    gf two.png -q --stages match:@button.png:threshold=0.98 --table found.csv
    gf two.png framed.npy --stages gain:0,draw:boxes:boxes=@found.csv:colour=1:width=1
    gf framed.npy -q --stages bounds --report - | jq -e '.results[0] | [.x[0], .y[0], .width[0], .height[0]] == [3, 2, 17, 11]'
}

@test "N26: holes are filled, and bays that reach the edge are not" {
    awk 'BEGIN { for (y = 0; y < 12; y++) for (x = 0; x < 16; x++) { wall = (x > 1 && x < 8 && y > 1 && y < 9) || (x > 9 && y > 2 && y < 8)
        hole = x > 3 && x < 6 && y > 3 && y < 7; bay = x > 11 && y == 5; printf " %s", wall && !hole && !bay ? "ff" : "00" } }' >in.txt
    npy in.npy '|u1' '12, 16' $(<in.txt)
    gf in.npy out.png -q --stages invert,label:4:border=drop:output=mask,blend:in:mode=max
    numbers in.npy | awk '{ for (x = 5; x <= 6; x++) if (NR > 4 && NR <= 7) $x = 255; print }' >wanted
    diff -w wanted <(numbers out.png)
}

@test "N27: cells that touch are counted apart, with areas near those of scikit-image's watershed" {
    works "$(oracle tasks/touching.npy)" --stages threshold:0.5,label --table - -q
    [ "$(wc -l <<<"$output")" = 3 ]
    works "$(oracle tasks/touching.npy)" --table - -q --stages \
        threshold:0.5:save=cells,distance,threshold:13,invert,distance,blur:1,laplacian,threshold:-0.2,convert:u8,blend:cells:mode=min,label:4:min_area=10
    tail -n +2 <<<"$output" | cut -d, -f2 | sort -rn | paste -d' ' "$(oracle tasks/touching_areas.txt)" - |
        awk '{ if ($2 > $1 || $2 < 0.9 * $1) exit 1 } END { exit NR != 3 }'
}

@test "N29: a print against its golden picture: both faults, with their boxes" {
    noise golden.npy 40 30 1 13
    gf golden.npy print.png -q --stages 'blend:@golden.npy:mode=max,invert:roi=3x2+5+6,invert:roi=4x4+30+20'
    works print.png --stages difference:@golden.npy,threshold:20u8,dilate:2,label --table - -q
    tail -n +2 <<<"$output" | awk -F, '{ x[NR] = $3; y[NR] = $4; w = $3 + $5; h = $4 + $6
        if (NR == 1) bad += !(x[1] >= 3 && y[1] >= 4 && w <= 10 && h <= 10)
        if (NR == 2) bad += !(x[2] >= 28 && y[2] >= 18 && w <= 36 && h <= 26) } END { exit bad || NR != 2 }'
}

@test "N35: blurred photographs are told by the spread of their laplacian" {
    scene
    gf scene.npy soft.npy -q --stages blur:2
    for name in scene soft; do
        gf $name.npy -q --stages convert:f32,laplacian,stats --report - | jq '.results[0].stddev[0]'
    done | awk '{ s[NR] = $1 } END { exit !(s[1] > 4 * s[2] && s[2] > 0) }'
}

@test "N39: the white border of a scan is cut off, and one of a colour put around it" {
    scene
    gf scene.npy bordered.png -q --stages pad:3:border=constant:value=1
    gf bordered.png out.png -q --stages trim
    cmp <(numbers scene.npy) <(numbers out.png)
    gf scene.npy framed.png -q --stages 'rgb,pad:1:colour=#f80'
    numbers framed.png | awk 'NR == 1 { for (i = 1; i <= 54; i += 3) if ($i != 255 || $(i + 1) != 136 || $(i + 2)) exit 1 }
        NR == 2 && $1 " " $2 " " $3 " " $4 != "255 136 0 10" { exit 1 }'
}
