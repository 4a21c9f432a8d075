# Tables of results: points, places; printed, in the report, as CSV and .npy files.
load common

# A picture of 6 x 2 whose points from 0x80 on are (1, 0), (5, 0), (0, 1).
spots() {
    npy spots.npy '|u1' '2, 6' 00 80 10 20 30 ff 90 7f 00 00 00 01
}

@test "points: a table of x, y and value, in raster order" {
    spots
    works spots.npy --stages points:128u8
    out_is "points (stage 1)" \
        "  count                         3" \
        "  points, 3 rows" \
        "  x  y  value" \
        "  1  0    128" \
        "  5  0    255" \
        "  0  1    144"
    works spots.npy --stages points:128u8:max=144u8:limit=1
    grep -qx '  count *2' <<<"$output"
    grep -qx '  points, 1 row' <<<"$output"
    works spots.npy --stages points:2u8:max=3u8
    grep -qx '  points, 0 rows' <<<"$output"
    works spots.npy --stages points:128u8:roi=2x2+0+0 --verify
    grep -qx '  count *2' <<<"$output"
}

@test "points of a colour picture: every measured channel must be in the interval" {
    colours
    works colours.npy --stages points:0.5 --table -
    out_is x,y,value_r,value_g,value_b 1,1,128,128,128
    works colours.npy --stages points:0.5:channels=r --table -
    out_is x,y,value 0,0,255 1,1,128
    works colours.npy --stages points:0.5:channels=0+2 --table -
    out_is x,y,value_r,value_b 1,1,128,128
}

@test "find: the first place, all or how many; a colour; places marked; what is wrong is said" {
    spots
    works spots.npy --stages find:16u8 --table -
    out_is x,y,value 2,0,16
    works spots.npy --stages find:0:mode=all:limit=2 --table -
    out_is x,y,value 0,0,0 2,1,0
    works spots.npy --stages find:mode=count
    out_is "find (stage 1)" "  count                         1" "  places, 0 rows"
    works spots.npy marked.npy --stages find:128u8:tolerance=16u8:mode=all:mark=[1] --verify -q
    works marked.npy --stages find:mode=all --table -
    out_is x,y,value 1,0,255 5,0,255 0,1,255 1,1,255
    npy signal.npy '<f4' '3,' 00 00 80 3f 00 00 c0 7f 00 00 00 3f
    works signal.npy --stages points --table - --signal picture
    out_is x,y,value 0,0,1 2,0,0.5
    works signal.npy --stages find:0.5 --table - --signal picture
    out_is x,y,value 2,0,0.5
    colours
    works colours.npy --stages 'find:[1 0 0]' --table -
    out_is x,y,value_r,value_g,value_b 0,0,255,0,0
    fails 2 colours.npy --stages 'find:[1 0]'
    err_has "colour has 2 numbers, must have 3, one for each measured channel"
    fails 2 colours.npy --stages 'find:mode=count:mark=[1]'
    err_has "mark needs places, and mode=count finds none"
    fails 2 colours.npy --stages 'find:mark=[1 0]'
    err_has "mark has 2 numbers, must have 1, or 3 as the picture has colours"
}

@test "--table writes CSV and .npy, whole or not at all, and the report names the files" {
    spots
    works spots.npy out.npy --stages points:128u8 --table p.csv --table points=p.npy --report r.json -q
    [ "$(cat p.csv)" = $'x,y,value\n1,0,128\n5,0,255\n0,1,144' ]
    [ "$(samples p.npy)" = "01 00 00 00 00 00 00 00 00 00 00 43 05 00 00 00 00 00 00 00 00 00 7f 43 00 00 00 00 01 00 00 00 00 00 10 43" ]
    grep -aq "{'descr': \[('x', '<u4'), ('y', '<u4'), ('value', '<f4')\], 'fortran_order': False, 'shape': (3,), }" p.npy
    [ "$(jq -c '.results[0].points[1], .results[0].count' r.json)" = $'{"x":5,"y":0,"value":255}\n[3]' ]
    [ "$(jq -c '.tables[1]' r.json)" = '{"stage":"points","index":0,"table":"points","rows":3,"file":"p.npy"}' ]
    cp p.csv old.csv
    fails 4 spots.npy /nowhere/out.npy --stages points:0.1 --table p.csv
    cmp p.csv old.csv
}

@test "--table says which tables there are when it cannot choose" {
    spots
    fails 2 spots.npy --stages points:0.1,points:0.5:name=light --table p.csv
    err_has "write NAME=FILE to say which; tables of this run: points, light"
    [ ! -e p.csv ]
    works spots.npy --stages points:0.1,points:0.5:name=light --table light=p.csv
    [ "$(wc -l <p.csv)" = 4 ]
    fails 2 spots.npy --stages points --table dark=p.csv
    err_has "no result of that name has a table; tables of this run: points"
    fails 2 spots.npy --stages stats --table p.csv
    err_has "no stage of the list finds a table; those that do: threshold, hist, profile, "
    fails 2 spots.npy --stages points --table p.txt
    err_has "must end in .csv or .npy"
    fails 2 spots.npy --stages points --table spots.npy
    err_has "IN and --table are both spots.npy"
}

@test "--table of a stage that has fields of several values: a row for each" {
    npy rgb.npy '|u1' '1, 2, 3' 00 40 80 FF 41 82
    works rgb.npy --stages hist:bins=2 --table -
    out_is index,counts_r,counts_g,counts_b 0,1,2,0 1,1,0,2
    works rgb.npy --stages hist:bins=2:channels=g,percentiles:'[0 100]' --table percentiles=p.csv
    [ "$(head -n 1 p.csv)" = index,at_r,at_g,at_b,value_r,value_g,value_b ]
    [ "$(tail -n 1 p.csv)" = 1,100,100,100,255,65,130 ]
    fails 2 rgb.npy --stages hist,percentiles --table p.csv
    err_has "write NAME=FILE to say which; tables of this run: hist, percentiles"
    spots # a table of its own comes first
    works spots.npy --stages hist:bins=2,points:0.5 --table p.csv --report r.json
    [ "$(head -c 5 p.csv)" != index ]
    works spots.npy --stages points:0.5,hist:bins=2 --table hist=p.csv --report r.json
    [ "$(head -n 1 p.csv)" = index,counts ]
    [ "$(jq -r '.tables[0].table' r.json)" = values ]
    mkdir in
    cp rgb.npy in/a.npy
    cp rgb.npy in/b.npy
    run --separate-stderr -0 "$GPUFILTER_BIN" batch in --stages hist:bins=2 --table all.csv -q
    [ "$(wc -l <all.csv)" = 5 ]
}

@test "a long table is bounded on a terminal, and complete in a pipe" {
    head -c 900 /dev/zero | tr '\0' '\377' | npy white.npy '|u1' '30, 30'
    works white.npy --stages points
    [ "${#lines[@]}" = 904 ]
    script -qec "'$GPUFILTER_BIN' white.npy --stages points" /dev/null </dev/null | tr -d '\r' >typed
    [ "$(grep -c " 255$" typed)" = 20 ]
    grep -qx '  ... and 880 more' typed
}

# A picture of 5 x 3: a stair, a dot below it at a corner, a dot apart.
stair() {
    npy stair.npy '|u1' '3, 5' 80 80 00 00 10 00 80 00 00 00 00 00 40 00 00
}

@test "label: numbers as a picture of u32, regions as a table" {
    stair
    works stair.npy out.npy --stages label --report r.json --verify
    [ "$(samples out.npy)" = "01 00 00 00 01 00 00 00 00 00 00 00 00 00 00 00 02 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 00 00 00 00" ]
    grep -aq "'descr': '<u4'" out.npy
    [ "$(jq -c '.results[0].regions[0]' r.json)" = '{"label":1,"area":4,"box":[0,0,3,3],"centroid":[1,0.75],"mean":112,"min":64,"max":128}' ]
    [ "$(jq -c '.output.depth' r.json)" = '"u32"' ]
    works stair.npy --stages label:4:min_area=2 --table -
    out_is label,area,box_x,box_y,box_w,box_h,centroid_x,centroid_y,mean,min,max \
        1,3,0,0,2,2,0.6666666666666666,0.3333333333333333,128,128,128
    works stair.npy out.npy --stages label:4:min_area=2:output=mask
    [ "$(samples out.npy)" = "ff ff 00 00 00 00 ff 00 00 00 00 00 00 00 00" ]
    works stair.npy out.npy --stages label:of=equal:min_area=3:output=keep
    [ "$(samples out.npy)" = "80 80 00 00 00 00 80 00 00 00 00 00 00 00 00" ]
}

@test "numbers of label are no picture for other formats and stages, and errors say what to do" {
    stair
    fails 2 stair.npy out.png --stages label
    err_has "png does not hold u32, the numbers that the last stage makes"
    err_has ".npy does: OUT.npy, or --format npy; label:output=mask, keep and colours are pictures"
    [ ! -e out.png ]
    for output in mask keep colours; do
        works stair.npy out.png --stages label:output=$output
    done
    fails 2 stair.npy other.png --stages integral
    [[ $stderr != *label* ]]
    fails 2 stair.npy out.npy --stages label,blur
    err_has "stage 2 'blur': it works on u8, u16 and f32, and gets u32"
    colours
    fails 2 colours.npy out.npy --stages label
    err_has "put gray before it"
    works stair.npy out.npy --stages label --explain
    grep -q '^bands    none, the whole picture at once$' <<<"$output"
}
