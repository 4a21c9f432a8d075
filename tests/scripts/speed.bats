# script/speed: rows where others are faster, and ratios that must not fall; from files, as nothing is timed here.
bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR"
    root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    head=peer,row,threads,ours_us,theirs_us
    printf '%s\n' $head 'Rival 5.0,"blur, wide",1,200,100' 'Rival 5.0,"blur, wide",2,100,100' 'Rival 5.0,flip,1,1000,4000' >new.csv
    printf '%s\n' $head 'Rival 4.6,"blur, wide",1,200,190' 'Rival 4.6,flip,1,1000,500' 'Chips,sort,,10,9.9' >old.csv
    kept=device,peer,row,threads,speed,noise,commit
}

speed() {
    run "$root/script/speed" "$@"
}

gate() { # S AND NOISE IN THE FILE, OURS AND THEIRS OF EACH ROUND
    local number=0 times
    printf '%s\n' $kept "Chip 1,Rival 5.0,\"blur, wide\",1,$1,abc1234" 'Chip 2,Rival 5.0,"blur, wide",1,99,0.01,abc1234' >gate.csv
    shift
    rm -f round.*
    for times; do
        printf '%s\n' $head "Rival 5.0,\"blur, wide\",1,$times" >round.$((++number))
    done
    speed --gate --device 'Chip 1' --kept gate.csv --read round.*
}

@test "--below: the worst first, and exit 1 where there are any" {
    speed --below 1 --read new.csv old.csv
    [ "$status" = 1 ]
    printf '%s\n' 'S 0.50  blur, wide, 1 thread: ours 0.2 ms, Rival 5.0 0.1' 'S 0.50  flip, 1 thread: ours 1 ms, Rival 4.6 0.5' \
        'S 0.95  blur, wide, 1 thread: ours 0.2 ms, Rival 4.6 0.19' 'S 0.99  sort: ours 0.01 ms, Chips 0.0099' \
        '4 of 6 rows below 1' | sort >expected
    sort <<<"$output" | diff expected -
    [[ ${lines[2]} == "S 0.95"* && ${lines[3]} == "S 0.99"* ]]
    speed --below 1.001 --read new.csv
    [[ $output == *"S 1.00  blur, wide, 2 threads"*"2 of 3 rows below 1.001" ]]
    speed --below 0.5 --read new.csv old.csv
    [ "$status" = 0 ]
    [ "$output" = "0 of 6 rows below 0.5" ]
}

@test "--below: says which line is wrong, and that nothing was compared" {
    echo 'Rival 5.0,sobel,1,0,4' >>new.csv
    speed --below 1 --read new.csv
    [ "$status" = 1 ]
    [ "$output" = "speed: new.csv, line 5: must be $head with times above 0" ]
    echo $head >none.csv
    speed --below 1 --read none.csv
    [ "$status" = 2 ]
    [ "$output" = "speed: nothing was compared" ]
    speed
    [ "$status" = 2 ]
    [[ $output == *"script/speed --gate"*"needs --below S, --table CSV... or --gate" ]]
}

@test "--below: what is not here is left out, with the reason" {
    mkdir empty
    speed --below 1 empty
    [ "$status" = 2 ]
    [[ $output == *"left out: opencv: compare-opencv: no shared libraries in $PWD/empty"* ]]
    [[ $output == *"left out: npp: compare-npp: no "* ]]
}

@test "--table: a column for each peer and number of threads, the newest first, and rows below 1 on top" {
    speed --table old.csv new.csv
    [ "$status" = 0 ]
    printf '%s\n' '| row | Chips | Rival 5.0, 1 thread | Rival 5.0, 2 threads | Rival 4.6, 1 thread |' '|---|---|---|---|---|' \
        '| blur, wide |  | **0.50** (0.2, 0.1) | 1.00 (0.1, 0.1) | **0.95** (0.2, 0.19) |' \
        '| flip |  | 4.00 (1, 4) |  | **0.50** (1, 0.5) |' '| sort | **0.99** (0.01, 0.0099) |  |  |  |' | diff - <(echo "$output")
    sed -i '/wide/s/,[0-9]*,[0-9]*$/,1,3/' new.csv
    speed --table new.csv
    [[ ${lines[2]} == "| blur, wide | 3.00"* && ${lines[3]} == "| flip"* ]]
}

@test "--gate: a fall of 7 % beyond the noise fails, and no less; S is of the least times" {
    gate 2.0,0.01 100,189 100,189
    [ "$status" = 0 ]
    [ "${lines[0]}" = "ok 1 - blur, wide beside Rival 5.0: S 1.89, 2 is kept; noise 0.0%, 1.0%" ]
    [ "${lines[1]}" = 1..1 ]
    gate 2.0,0.01 100,183 100,183
    [ "$status" = 1 ]
    [ "${lines[0]}" = "not ok 1 - blur, wide beside Rival 5.0: S 1.83, 2 is kept; noise 0.0%, 1.0%" ]
    [[ ${lines[1]} == "# it has fallen by 8.5%"* ]]
    gate 2.0,0.01 100,183 102,183 150,400
    [ "$status" = 0 ]
    gate 2.0,0.05 100,183 100,183
    [ "$status" = 0 ]
    gate 2.0,0 100,400 100,400
    [ "$status" = 0 ]
}

@test "--gate: skips with a reason: another device, no such peer; and a table that is wrong" {
    gate 2.0,0.01 100,200
    speed --gate --device 'Chip 3' --kept gate.csv --read round.1
    [ "$status" = 0 ]
    [[ ${lines[0]} == "ok 1 - ratios # SKIP "*"gate.csv has no rows of Chip 3: script/speed --gate --update writes them" ]]
    sed -i 's/Rival/Nobody/' round.1
    speed --gate --device 'Chip 1' --kept gate.csv --read round.1
    [ "$status" = 0 ]
    [ "${lines[0]}" = "ok 1 - blur, wide beside Rival 5.0 # SKIP there is no Rival 5.0 here: not measured" ]
    echo 'Chip 1,Rival 5.0,flip,1,fast,0.01,abc1234' >>gate.csv
    speed --gate --device 'Chip 1' --kept gate.csv --read round.1
    [ "$status" = 1 ]
    [[ $output == *"gate.csv, line 4: must be $kept"* ]]
}

@test "--gate --gpu: its name from the program, rows beside CUB from prim, and --update" {
    mkdir gpu
    cat >gpu/gpufilter <<'END'
#!/bin/sh
case "$*" in
devices) echo 'cuda:0    NVIDIA X1, 132 multiprocessors, compute 9.0' ;;
"prim sort --n 2^28"*) echo '[{"algo":"auto","time_us":10},{"algo":"cub","time_us":25},{"algo":"cub-merge","time_us":1},{"algo":"naive","time_us":null}]' ;;
*) echo '[{"algo":"auto","time_us":10}]' ;;
esac
END
    chmod +x gpu/gpufilter
    printf '%s\n' $kept 'Chip 1,judge,flip,1,2,0.01,abc1234' >gate.csv
    speed --gate --gpu --kept gate.csv gpu
    [[ $output == *"# SKIP "*"gate.csv has no rows of NVIDIA X1"* ]]
    speed --gate --gpu --update --kept gate.csv gpu
    [ "$status" = 0 ]
    [[ $output == *"without rows beside NPP: compare-npp: no "*"wrote 1 ratios of NVIDIA X1"* ]]
    [ "$(sed 's/,[0-9a-f]*$//' gate.csv | tail -n 2)" = "Chip 1,judge,flip,1,2,0.01
NVIDIA X1,cub,sort u32 2^28,,2.5,0.000" ]
    speed --gate --gpu --kept gate.csv gpu
    [ "$status" = 0 ]
    [ "${lines[0]}" = "ok 1 - sort u32 2^28 beside cub: S 2.5, 2.5 is kept; noise 0.0%, 0.0%" ]
    sed -i 's/time_us":25/time_us":20/' gpu/gpufilter
    speed --gate --gpu --kept gate.csv gpu
    [ "$status" = 1 ]
    sed -i 's/^devices).*/devices) echo "cpu   CPU" ;;/' gpu/gpufilter
    speed --gate --gpu --kept gate.csv gpu
    [ "${lines[0]}" = "ok 1 - ratios # SKIP there is no GPU" ]
}

@test "docs/measured/gate.csv: rows of each device, by commits that exist" {
    echo $head >none.csv
    cut -d , -f 1 "$root/docs/measured/gate.csv" | sed 1d | sort -u >devices
    [ -s devices ]
    while IFS= read -r device; do
        speed --gate --device "$device" --read none.csv
        [ "$status" = 0 ]
        [ "${lines[-1]}" = "1..$(grep -cF "$device," "$root/docs/measured/gate.csv")" ]
    done <devices
}

@test "script/compare-opencv: all of its chains can be planned, and an unknown row is named" {
    build=$(dirname "$GPUFILTER_BIN")
    /usr/bin/python3 -c 'import numpy' 2>/dev/null && [ -e "$build/pipeline/libgpufilter_io.so" ] ||
        skip "NumPy is not installed, or there are no shared libraries"
    GPUFILTER_LIBRARY=$(realpath "$build/pipeline") PYTHONPATH=$root/python:$root/tests/tools /usr/bin/python3 -B - <<'END'
import gpufilter, numpy, opencv_rows
rows = opencv_rows.rows(7680, 4320)
assert len({row[0] for row in rows}) == len(rows) > 80
for name, kind, stages, _, _ in rows:
    depth, channels = kind.split()
    shape, kinds = (4320, 7680) + ((int(channels),) if channels != "1" else ()), dict(u8="u1", u16="u2", f32="f4")
    a = numpy.empty(shape, kinds[depth])  # whose memory nobody touches
    gpufilter.Pipeline(stages, device="cpu").plan(shape, a.dtype, inputs={"other": a})
END
    run "$root/script/compare-opencv" "$build" --judge --csv --rows "gray;grey"
    [ "$status" = 1 ]
    [[ $output == *"compare-opencv: no row grey: there are chain; gray; gaussian 5x5 u8; "* ]]
}
