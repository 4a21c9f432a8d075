# script/bench --tables: tables from logs.
bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR"
    {
        echo experiment,primitive,algo,device,n,type,data,parameters,time_us,q1_us,q3_us,gbps,copy_fraction,read_fraction,checked
        echo 'filters,chain,fused,cpu,12,u8,random,"stages=gray,hist size=4x3 channels=3",200,190.04,1234.5,1,0.25,,yes'
        echo 'filters,chain,no-fuse,cpu,12,u8,random,"stages=gray,hist size=4x3 channels=3",300.4,1,1,1,0.2,,yes'
        echo 'filters,chain,fused,cpu,48,u8,random,"stages=gray,hist size=14x3 channels=3",7777,1,1,1,0.2,,yes'
        echo 'filters,chain,fused,cpu,12,f32,random,stages=stats size=4x3 channels=1,10.25,9,11,1,,0.5,yes'
        echo 'filters,chain,fused,emu,12,u8,random,stages=invert size=4x3 channels=1,,,,,,,yes'
        echo 'filters,chain,fused,cpu,12,u8,random,stages=hist size=4x3 channels=1,10,9,11,1,,0.5,yes'
        echo 'filters,chain,rival,cpu,12,u8,random,"stages=gray,hist size=4x3 channels=3",600,1,1,1,0.1,,'
        echo 'filters,chain,rival,cpu,12,u8,random,"stages=gray,hist size=14x3 channels=3",1,1,1,1,0.1,,'
        echo 'filters,chain,rival,cpu,12,u8,random,stages=hist size=4x3 channels=1,5,5,5,1,,0.8,'
    } >log.csv
    printf '%s\n' before '<!-- script/bench --tables log.csv 4x3 -->' '| old |' '|---|' '' '| another | table |' >page.md
}

bench() {
    run "$BATS_TEST_DIRNAME/../../script/bench" --tables "$@"
}

@test "a table: all timed rows of the size, beside those unfused and those of others" {
    bench page.md
    [ "$status" = 0 ]
    printf '%s\n' before '<!-- script/bench --tables log.csv 4x3 -->' \
        '| chain | picture | us | floor | floor / median | one pass a stage | rival | rival / ours |' \
        '|---|---|---|---|---|---|---|---|' \
        '| `gray,hist` | RGB u8 | 200 (190 to 1234) | 50.0 | 0.25 | 300 | 600 | 2.50 |' \
        '| `stats` | gray f32 | 10.2 (9.0 to 11.0) | 5.1 | 0.50 of a read | | | |' \
        '| `hist` | gray u8 | 10.0 (9.0 to 11.0) | 5.0 | 0.50 of a read | | 5.0 | **0.62** |' '' '| another | table |' >expected.md
    diff expected.md page.md
    bench page.md
    [ "$output" = "" ]
}

@test "a table of a comparison, by script/speed" {
    printf '%s\n' peer,row,threads,ours_us,theirs_us 'Rival 5.0,flip,1,1000,500' >rival.csv
    printf '%s\n' '<!-- script/speed --table rival.csv -->' '| old |' '' prose >page.md
    bench page.md
    [ "$status" = 0 ]
    printf '%s\n' '<!-- script/speed --table rival.csv -->' '| row | Rival 5.0, 1 thread |' '|---|---|' '| flip | **0.50** (1, 0.5) |' \
        '' prose | diff - page.md
    rm rival.csv
    bench --check page.md
    [ "$status" = 1 ]
}

@test "--check: says what is out of date, writes nothing" {
    cp page.md kept.md
    bench --check page.md
    [ "$status" = 1 ]
    [[ ${lines[0]} == "bench: page.md is out of date: run script/bench --tables" ]]
    cmp page.md kept.md
    bench page.md
    bench --check page.md
    [ "$status" = 0 ]
}

@test "--verdicts: tables of claims from logs, which are kept; what is missing stays" {
    mkdir logs
    printf '%s\n' 'S1: a search' '  rows' '  on an H200' '  holds on this device: it is a|b' '    (at 3: 4 us)' \
        '  too close to tell: (and c)' '    (at 5: 6 us)' >logs/S1.txt
    echo rows | tee logs/S1.csv logs/S1-k.svg >logs/S2.csv
    echo 'error: no device' >logs/S2.txt
    printf '%s\n' prose '<!-- script/bench --verdicts S1 -->' '| old |' '' '<!-- script/bench --verdicts S2 -->' '| kept |' >page.md
    run "$BATS_TEST_DIRNAME/../../script/bench" --verdicts logs page.md
    [ "$status" = 0 ]
    printf '%s\n' prose '<!-- script/bench --verdicts S1 -->' '| | the text says | verdict | measured on an H200 |' '|---|---|---|---|' \
        '| S1.1 | it is a\|b | holds | at 3: 4 us |' '| S1.2 | (and c) | too close to tell | at 5: 6 us |' '' \
        '<!-- script/bench --verdicts S2 -->' '| kept |' | diff - page.md
    [ "$(ls measured/texts | tr '\n' ' ')" = "S1-k.svg S1.csv S1.txt " ]
    run "$BATS_TEST_DIRNAME/../../script/bench" --verdicts nowhere page.md
    [ "$status" = 1 ]
}

@test "script/bench-opencv: rows of the same columns" {
    /usr/bin/python3 -c 'import cv2' 2>/dev/null || skip "no OpenCV for Python (Debian: python3-opencv)"
    "$BATS_TEST_DIRNAME/../../script/bench-opencv" --threads 2 --size 4x3 --repeat 2 >rows
    [ "$(wc -l <rows)" = 25 ]
    sed 's/"[^"]*"/quoted/' rows | awk -F, 'NF != 15 || $3 != "opencv" || $5 != 12 || !($10 <= $9 && $9 <= $11) ||
        ($13 == "") + ($14 == "") != 1 { print; bad = 1 } END { exit bad }'
}

@test "a log without such rows" {
    sed -i 's/4x3 -->/5x3 -->/' page.md
    cp page.md kept.md
    bench page.md
    [ "$status" = 1 ]
    [[ $output == *"bench: page.md: no rows of 5x3 in ./log.csv"* ]]
    cmp page.md kept.md
    rm log.csv
    bench page.md
    [ "$status" = 1 ]
}

@test "--model: the rates of the build are those of the logs" {
    "$BATS_TEST_DIRNAME/../../script/bench" --model --check
    cp -r "$BATS_TEST_DIRNAME/../../script" .
    mkdir -p docs pipeline/rates
    cp -r "$BATS_TEST_DIRNAME/../../docs/measured" docs/
    sed -i 's/^upload,7.5,/upload,15,/' docs/measured/around.csv
    run script/bench --model --check
    [ "$status" = 1 ]
    [ "$output" = "bench: pipeline/rates/cost_model.def is out of date: run script/bench --model" ]
    script/bench --model
    grep -qx 'GF_RATE(UPLOAD_GBPS, 15) .*' pipeline/rates/cost_model.def
    sed -i '/stages=box/d' docs/measured/h200.csv
    run script/bench --model
    [ "$status" = 1 ]
    [ "$output" = "bench: no row of box:radius=7, 1 u8 on cuda:0" ]
}
