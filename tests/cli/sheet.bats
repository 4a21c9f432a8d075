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
