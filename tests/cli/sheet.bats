# gpufilter sheet: many pictures as one.
load common

# Three pictures of one row: 2, 1 and 3 pixels wide.
three() {
    npy a.npy '|u1' '1, 2' 10 11
    npy b.npy '|u1' '1, 1' 20
    npy c.npy '|u1' '1, 3' 30 31 32
}

@test "pictures lie in the middle of cells, row by row" {
    three
    works sheet a.npy b.npy c.npy out.npy --columns 2 --gap 1 --background 0 --places p.json
    [ "$(samples out.npy)" = "10 11 00 00 00 20 00 00 00 00 00 00 00 00 30 31 32 00 00 00 00" ]
    [ "$(jq -c '.[]' p.json)" = '{"name":"a.npy","x":0,"y":0,"width":2,"height":1}
{"name":"b.npy","x":5,"y":0,"width":1,"height":1}
{"name":"c.npy","x":0,"y":2,"width":3,"height":1}' ]
    works sheet c.npy one.npy
    cmp <(samples c.npy) <(samples one.npy)
    works sheet a.npy b.npy c.npy out.npy --background 0.5
    [ "$(samples out.npy)" = "10 11 80 80 20 80 30 31 32 80 80 80" ]
    only_files a.npy b.npy c.npy out.npy one.npy p.json
}

@test "a cell makes pictures fit; colours and alpha are those that one of them has" {
    three
    colours
    sample="$BATS_TEST_DIRNAME/../../samples/sample.png"
    works sheet "$sample" "$sample" out.npy --columns 1 --cell 40x40 --places p.json
    works "$sample" small.npy --stages resize:40x40:fit=inside
    jq -r '.[1] | "crop:\(.width)x\(.height)+\(.x)+\(.y)"' p.json >stages.txt
    works out.npy again.npy --pipeline stages.txt
    cmp small.npy again.npy
    works colours.npy alpha.npy --stages alpha:add:value=0
    works sheet alpha.npy b.npy out.npy --columns 1
    [ "$(samples out.npy)" = "ff 00 00 00 00 ff 00 00 00 00 ff 00 80 80 80 00 20 20 20 ff 00 00 00 00 00 00 00 00 00 00 00 00" ]
    works sheet alpha.npy out.npy --background '[1 0 0.2]'
    [ "$(samples out.npy)" = "ff 00 33 ff 00 33 ff 00 33 ff 00 33" ]
    works sheet alpha.npy out.jpg
    works info out.jpg
    [[ $output == *"2 x 2 RGB"* ]]
}

@test "labels stand below the cells: names, cut to them, or numbers" {
    npy 'a "long" name\.npy' '|u1' '1, 60' $(printf '00 %.0s' {1..60})
    mkdir in
    cp a*.npy in/b.npy
    run "$GPUFILTER_BIN" in/b.npy out.npy -q --stages text:a
    [[ $output != *"FreeType"* && $output != *"no font"* ]] || skip "no FreeType, or no DejaVu Sans"
    works sheet a*.npy in/b.npy out.npy --columns 1 --gap 1 --background 1 --labels name --label-size 10 --places p.json
    [ "$(jq -c 'map([.x, .y, .width, .height])' p.json)" = "[[0,0,60,1],[0,17,60,1]]" ]
    gf info out.npy | grep -q "60 x 33"
    # Each strip has what the stage writes on white.
    npy strip.npy '|u1' '15, 60' $(printf 'ff %.0s' {1..900})
    strip() { # Y STAGE
        works out.npy is.npy --stages "crop:60x15+0+$1"
        works strip.npy must.npy --stages "$2:size=10:at=centre"
        cmp is.npy must.npy
        [[ $(samples is.npy) != "$(samples strip.npy)" ]]
    }
    strip 1 'text:"a \"long\" name\\.npy":width=60:colour=0'
    strip 18 'text:b.npy:colour=0'
    works sheet a*.npy in/b.npy out.npy --columns 1 --labels number --label-size 10 --background 0.2
    npy strip.npy '|u1' '15, 60' $(printf '33 %.0s' {1..900})
    strip 1 text:1:colour=1
    strip 17 text:2:colour=1
    printf -v odd '\xff\x02\x0a.npy'
    cp in/b.npy "$odd"
    works sheet in/b.npy "$odd" out.npy --columns 1 --labels name --label-size 10 --background 0.2
    strip 17 'text:"???.npy":colour=1'
    works sheet "$BATS_TEST_DIRNAME/../../samples/sample.png" alpha.png --labels name --background white
    works "$BATS_TEST_DIRNAME/../../samples/sample.png" alpha.png --stages alpha:add
    works sheet alpha.png in/b.npy two.png --labels name # on what nobody sees through
    works sheet a\ *.npy in/b.npy none.npy --labels none
    works sheet a\ *.npy in/b.npy plain.npy
    cmp none.npy plain.npy
    rm out.npy
    run "$GPUFILTER_BIN" sheet in/b.npy out.npy --labels name --label-font nosuch
    [ "$status" -ne 0 ]
    [[ $output == *"there is no font nosuch.ttf"* ]]
    fails 2 sheet in/b.npy out.npy --labels names
    err_is "error: --labels is 'names', must be name, number or none"
    fails 2 sheet in/b.npy out.npy --label-size 0
    [ ! -e out.npy ]
}

@test "what is wrong is said, and nothing is written" {
    three
    fails 2 sheet a.npy
    err_is "error: sheet takes 1 to 65536 pictures and OUT: gpufilter sheet IN... OUT"
    fails 2 sheet - out.npy
    err_is "error: sheet reads each picture twice: IN cannot be standard input"
    fails 2 sheet a.npy b.npy a.npy
    err_has 'a.npy'
    fails 3 sheet a.npy absent.npy out.npy
    err_has "absent.npy: "
    for cell in 40 x40 40x 0x3 axb 4x4+1+1; do
        fails 2 sheet a.npy out.npy --cell "$cell"
        err_has "--cell"
    done
    fails 2 sheet a.npy out.npy --columns 0
    fails 2 sheet a.npy out.npy --background red:blue
    head -c 100 b.npy >short.npy
    fails 3 sheet a.npy short.npy out.npy
    works sheet --help
    [[ $output == *"--places FILE"*"row by row"* ]]
    only_files a.npy b.npy c.npy short.npy
}
