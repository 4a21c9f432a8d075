# Writing and drawing: tasks that people ask for (tasks.bash says how they are checked).
load tasks

@test "N4: text: its box lies where at= says, and errors name the place and what would be right" {
    gf info "$BATS_TEST_DIRNAME/../../samples/sample.png" >/dev/null
    cp "$BATS_TEST_DIRNAME/../../samples/sample.png" in.png
    run "$GPUFILTER_BIN" in.png a.npy --verify --stages 'text:"a, b: c\nd":at=southeast+5+6:size=20:colour=#000:box=#f00'
    [[ $output != *"FreeType"* && $output != *"no font"* ]] || skip "no FreeType, or no DejaVu Sans"
    [ "$status" -eq 0 ]
    works in.png - --format npy --stages "text:'x':at=centre:box=#f00:padding=4,difference:in,gray,bounds"
    works a.npy b.npy --stages crop:1x1+762+505
    [ "$(samples b.npy)" = "ff 00 00" ]
    works a.npy b.npy --stages crop:6x1+762+506
    works in.png c.npy --stages crop:6x1+762+506
    [ "$(samples b.npy | cut -d ' ' -f 4-)" = "$(samples c.npy | cut -d ' ' -f 4-)" ]
    fails 2 in.png out.npy --stages text:a:size=5x
    err_has "size is '5x', must be 1 to 10000 pixels"
    fails 2 in.png out.npy --stages text:a:at=900+900
    err_has "none of it lies on the picture, which has 768 x 512"
    fails 2 in.png out.npy --stages 'text:""'
    err_has "text= is not given"
    run "$GPUFILTER_BIN" in.png out.npy --stages text:a:font=nosuch
    [ "$status" -ne 0 ]
    [[ $output == *"there is no font nosuch.ttf"*"              ^~~~~~"* ]] # at the font
    works in.png out.npy -q --stages text:a
    [[ $stderr != *note* ]]
    rm out.npy
    works in.png c.npy --stages $'text:"ab \U1F9FF"' # which DejaVu Sans has not
    err_has "note: stage 1 'text': the font has no letter for U+1F9FF, at byte 4 of the text"
    [ ! -e out.npy ]
}

@test "draw: whole pixels of a rectangle, and what each shape needs" {
    npy z.npy '|u1' '4, 5' 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    works z.npy out.npy --verify --stages draw:area=4x3+1+1:width=1:colour=1:fill=0.2
    [ "$(samples out.npy)" = "00 00 00 00 00 00 ff ff ff ff 00 ff 33 33 ff 00 ff ff ff ff" ]
    works z.npy out.npy --verify --stages 'draw:boxes:boxes=[-1 -1 2 2; 4 3 9 9]:colour=1'
    [ "$(samples out.npy)" = "ff 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 ff" ]
    works z.npy out.npy --verify --stages draw:area=4x3-2-1:width=1:colour=1 # as blend and crop have it
    [ "$(samples out.npy)" = "00 ff 00 00 00 ff ff 00 00 00 00 00 00 00 00 00 00 00 00 00" ]
    works --print-pipeline=text --stages draw:area=4x3-2+1
    [[ $output == *"area=4x3-2+1"* ]]
    fails 2 z.npy out.npy --stages stats:roi=2x2-1+0
    fails 2 z.npy out.npy --stages draw:area=2x2+0+0
    err_has "colour, by default #f00 is no gray, and the picture is gray: give a gray, as colour=1"
    fails 2 z.npy out.npy --stages draw:line
    err_has "it takes from= and to="
    fails 2 z.npy out.npy --stages draw:area=2x2+0+0:width=0
    err_has "there is nothing to draw"
    fails 2 z.npy out.npy --stages draw:area=2x2+0+0:colour=red
    err_has "colour is no gray, and the picture is gray"
}

@test "N4: text: a line wider than width= keeps as many letters as have a place with an ellipsis" {
    npy z.npy '|u1' '64, 200' $(printf '00 %.0s' $(seq 12800))
    run "$GPUFILTER_BIN" z.npy out.npy -q --stages text:a
    [[ $output != *"FreeType"* && $output != *"no font"* ]] || skip "no FreeType, or no DejaVu Sans"
    works z.npy cut.npy --verify --stages 'text:"two\nHäuser am großen Meer":size=16:width=90'
    found=
    for kept in "Häuse" "Häuser" "Häuser " "Häuser a" "Häuser am" "Häuser am " "Häuser am g"; do
        gf z.npy one.npy -q --stages "text:\"two\n$kept…\":size=16"
        ! cmp -s one.npy cut.npy || found+=$kept/
    done
    [[ $found == H*/ && $found != */*/ ]] # one of them
    works z.npy a.npy --stages 'text:"two\nHäuser am großen Meer":size=16'
    works z.npy b.npy --stages 'text:"two\nHäuser am großen Meer":size=16:width=195'
    cmp a.npy b.npy # which is wide enough
    works cut.npy one.npy --stages crop:110x64+90+0
    [[ $(samples one.npy) != *[1-9a-f]* ]]
    works a.npy one.npy --stages crop:110x64+90+0
    [[ $(samples one.npy) == *[1-9a-f]* ]]
    works z.npy a.npy --stages 'text:"Meer":size=16:width=1'
    works z.npy b.npy --stages 'text:"…":size=16'
    cmp a.npy b.npy
    fails 2 z.npy out2.npy --stages text:a:width=0
    err_has "width is 0, must be from 1 to"
}

@test "draw: boxes of the table that label writes, and of one with other columns; more than a list has written out" {
    npy z.npy '|u1' '4, 5' ff ff 00 00 00 ff ff 00 ff ff 00 00 00 ff ff 00 00 00 00 00
    works z.npy out.npy -q --stages label --table boxes.csv
    works z.npy a.npy --verify --stages draw:boxes:boxes=@boxes.csv:width=0:fill=0.2
    [ "$(samples a.npy)" = "33 33 00 00 00 33 33 00 33 33 00 00 00 33 33 00 00 00 00 00" ]
    printf 'height,name,x,y,width\n2,7,1,0,3\n' >own.csv
    works z.npy b.npy --stages draw:boxes:boxes=@own.csv:width=0:fill=0.2
    [ "$(samples b.npy)" = "ff 33 33 33 00 ff 33 33 33 ff 00 00 00 ff ff 00 00 00 00 00" ]
    { echo x,y,width,height && for _ in {1..299}; do echo 0,0,1,1; done && echo 4,3,1,1; } >many.csv
    works z.npy b.npy --verify --stages draw:boxes:boxes=@many.csv:width=0:fill=0.2
    [ "$(samples b.npy)" = "33 ff 00 00 00 ff ff 00 ff ff 00 00 00 ff ff 00 00 00 00 33" ]
    head -1 boxes.csv >none.csv
    fails 3 z.npy out2.npy --stages draw:boxes:boxes=@none.csv
    err_has "none.csv: has no line of numbers"
    printf 'a,b\n1,2\n' >none.csv
    fails 2 z.npy out2.npy --stages draw:boxes:boxes=@none.csv
    err_has "'x' is no column"
    printf 'x,y,width,height\n1,2,3\n' >none.csv
    fails 3 z.npy out2.npy --stages draw:boxes:boxes=@none.csv
    { echo x,y,width,height && yes 1,1,1,1 | head -65536; } >none.csv
    fails 3 z.npy out2.npy --stages draw:boxes:boxes=@none.csv
    err_has "none.csv: has 65536 boxes or more"
    [ ! -e out2.npy ]
}
