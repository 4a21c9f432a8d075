# gpufilter bench: the list, and of each experiment the rows, columns, figures and claims at reduced size.
load ../cli/common

is_emulated() {
    "$GPUFILTER_BIN" devices | grep -q '^[a-z:0-9]*  *emu,'
}

# How many variants of a primitive run here: variants NAME
variants() {
    local where=cpu
    is_emulated && where='\(cpu\|cuda\)'
    "$GPUFILTER_BIN" prim "$1" --help | grep -c "^  $where  *[a-z0-9-]* "
}

# expect ID CPU GPU: runs it and looks at its files. CPU rows are of the CPU, GPU of the emulated device.
expect() {
    local id=$1 cpu=$2 gpu=$3 name header
    is_emulated || gpu=0
    GPUFILTER_MEMORY=8M works bench "$id" --quick --repeat 1
    [ "${lines[0]%%:*}" = "$id" ]
    if [ $((cpu + gpu)) = 0 ]; then # says so first, and where there are rows; no file is left
        [[ ${stderr_lines[0]} == "gpufilter: $id: no rows, so no $id.csv: its variants are for CUDA; on the CPU there are rows of S3 S5 "* ]]
        ! grep -qw "$id" <<<"${stderr_lines[0]#*on the CPU}" && [ ! -e "$id.csv" ]
        return
    fi
    if [ "$cpu" != 0 ]; then # the list has it, or it is named for its primitive
        "$GPUFILTER_BIN" bench S1 --quick --device cpu 2>&1 >/dev/null | grep -qw "rows of.* $id" ||
            [[ $("$GPUFILTER_BIN" prim) == *"$id: "* ]]
    fi
    header=experiment,primitive,algo,device,n,type,data,parameters,time_us,q1_us,q3_us,gbps,copy_fraction,read_fraction,checked,result,launches,additions
    [ "$(head -n 1 "$id.csv")" = "$header" ]
    tail -n +2 "$id.csv" | sed 's/"[^"]*"/quoted/g' >rows
    echo "rows: $(cat rows | cut -d, -f 4 | sort | uniq -c | tr '\n' ' '), expected $cpu and $gpu"
    [ "$(grep -c '^[^,]*,[^,]*,[^,]*,cpu,' rows)" = "$cpu" ]
    [ "$(wc -l <rows)" = $((cpu + gpu)) ]
    # every row: eighteen columns, its experiment, a result that was checked; of the CPU a time between its
    # quartiles, and a fraction of a copy or of a read
    awk -F, -v id="$id" 'NF != 18 || $1 != id || $5 !~ /^[0-9]+$/ || $15 !~ /^(yes|near)$/ ||
        ($4 == "cpu" && !($9 > 0 && $10 <= $9 && $9 <= $11 && $12 >= 0 && ($13 == "") + ($14 == "") == 1)) ||
        ($4 ~ /^emu/ && $9 $10 $11 $12 $13 $14 != "") { print; bad = 1 } END { exit bad }' rows
    # a figure for each panel that has something to show, and a word where there is none
    if ls "$id"*.svg >/dev/null 2>&1; then [[ $output == *"./$id"*".svg"* ]]; else [[ $output == *"  no figure of "* ]]; fi
    for name in $(ls "$id"*.svg 2>/dev/null); do
        [ "$(grep -cE 'class="(line|bar|point|area)"' "$name")" -gt 0 ]
        grep -q ', gpufilter [0-9.]*</text>$' "$name"
        [ "$(head -c 5 "$name")" = "<svg " ]
        [ "$(tail -n 1 "$name")" = "</svg>" ]
    done
    # sizes that are not the experiment's own are no ground for a verdict
    ! grep -qE '^  (holds|does not hold|too close)' <<<"$output"
    [ "$(grep -c '^  not judged: ' <<<"$output")" = "$(grep -cE "^    \(not the (text|experiment)'s sizes; here: " <<<"$output")" ]
}

# Expects every variant of the primitive at each value of each panel: expect_all ID VALUES PRIMITIVE
expect_all() {
    local all cpu
    all=$(variants "$3")
    cpu=$("$GPUFILTER_BIN" prim "$3" --help | grep -c '^  cpu  *[a-z0-9-]* ')
    expect "$1" $((cpu * $2)) $(((all - cpu) * $2))
}

@test "bench --list: every experiment with its command" {
    works bench --list
    [ "$(cut -d ' ' -f 1 <<<"$output" | tr '\n' ' ')" = "S1 S2 S3 S4 S5 C1 C2 C3 C4 N1 N2 N3 N4 N5 N6 N7 N8 N9 G1 G2 G3 G4 G5 G6 G7 E1 E2 E3 E4 E5 H1 reduce scan compact sort histogram search matmul stencil spmv filters transfers " ]
    for line in "${lines[@]}"; do [[ $line == *"gpufilter bench ${line%% *} "* ]]; done
}

@test "S1" { expect S1 0 20; }
@test "S2" { expect S2 0 9; }
@test "S3" { expect S3 9 9; }
@test "S4" { expect S4 0 15; }
@test "S5" { expect_all S5 3 search; }
@test "C1" { expect C1 15 0; }
@test "C2" { expect C2 0 10; }
@test "C3" { expect C3 28 40; }
@test "C4" { expect C4 0 6; }
@test "G1" { expect G1 0 28; }
@test "G2" { expect G2 6 6; }
@test "G3" { expect G3 0 9; }
@test "G4" {
    cpu=$("$GPUFILTER_BIN" prim merge --help | grep -c '^  cpu  *[a-z0-9-]* ')
    expect G4 $((4 + 2 * cpu)) $((8 + 2 * ($(variants merge) - cpu)))
}
@test "E1" { expect E1 0 8; }
@test "E2" { expect_all E2 4 scan; }
@test "E3" { expect E3 6 6; }
@test "reduce" { expect_all reduce 2 reduce; }
@test "scan" { expect_all scan 2 scan; }
@test "compact" { expect_all compact 2 compact; }
@test "sort" { expect_all sort 4 sort; }
@test "histogram" { expect_all histogram 4 histogram; }
@test "search" { expect_all search 2 search; }

@test "G6" { expect G6 2 36; }
@test "H1" { expect H1 0 28; }
@test "G7" { expect G7 0 8; }
@test "E5" { expect E5 0 20; }
@test "matmul" { expect_all matmul 2 matmul; }
@test "stencil" { expect_all stencil 2 stencil; }
@test "spmv" { expect_all spmv 2 spmv; }

@test "G5" { expect G5 24 24; }
@test "E4: what each level looks at, and what it took" {
    expect E4 18 18
    [ "$(head -n 1 E4-levels.csv)" = "parameters,algo,device,level_from,level_to,vertices,edges,time_us,low_us,high_us,edges_per_us" ]
    # the levels of a series follow each other, each edge is looked at once, and the CPU has times
    awk -F, '/grid/ { series = $2 " " $3
        if ($4 != next_level[series] + 1 || ($3 == "cpu") != ($8 != "")) { print; bad = 1 }
        next_level[series] = $5; edges[series] += $7 }
        END { for (s in edges) if (edges[s] != 1520) { print s, edges[s]; bad = 1 } exit bad }' E4-levels.csv
    [ "$(grep -c 'graph=grid:20x20 depth=39,sequential,cpu,32,39,36,128,' E4-levels.csv)" = 1 ]
    [[ $output == *"    grid: a level on average"*"       32    39          4         16"* ]]
    is_emulated || [[ $output == *"    frontier                 no rows: "* ]]
    [ "$(grep -c 'class="line"' E4-grid-frontier.svg)" = 4 ]
    grep -q '>E4; what is looked at to find a level' E4-grid-frontier.svg
    fails 2 bench E4 --n 100
    err_has "--n is not for 'E4'"
}

@test "N1" { expect N1 2 10; }
@test "N2" { expect N2 0 18; }
@test "N3" { expect N3 0 60; }
@test "N4" { expect N4 0 24; }
@test "N5: the grid, and what is beyond the cap" {
    expect N5 0 4
    is_emulated || skip "the device is not emulated"
    [ "$(grep -c ',yes$' N5-grid.csv) $(grep -c ',no$' N5-grid.csv)" = "4 2" ]
    [[ $output == *"    6 loops, of which 2 are beyond the cap of 2e+03 threads"* ]]
    [ "$(grep -o 'class="point"' N5.svg | wc -l) $(grep -o 'class="ring"' N5.svg | wc -l)" = "5 3" ]
}
@test "N6: figures of counts that were measured, and their frames" {
    expect N6 1 5
    # frames lie side by side from right to left, each around what was to its left, and hold at least the area
    awk -F, '$1 == "frame" { if (from != "" && $3 != from) bad = 1; from = $2
        if (from > 0 && ($3 - $2) * $5 < 4000) bad = 1 } END { exit bad || from != 0 }' N6-frames.csv
    [ "$(grep -c '^combined,750,' N6-frames.csv)" = 1 ]
    awk -F, 'NR > 1 { if ($2 < last || $2 < 1) bad = 1; last = $2 } END { exit bad || NR != 16 }' N6-areas.csv
    [[ $output == *"here: frames of 2^8: 1.0"* ]]
    ! command -v xmllint >/dev/null || xmllint --noout N6*.svg
}
@test "N7" { expect N7 0 80; }
@test "N8" { expect N8 0 8; }
@test "N9" { expect N9 0 28; }
@test "the grid: parameters of a series are those of its runs" {
    is_emulated || skip "the device is not emulated"
    works bench N3 --quick
    [ "$(grep -c ',nx=[0-9]* ny-max=[0-9]* frame-area=4096,' N3.csv)" = 4 ]
    [ "$(grep -c ',nx=[0-9]* ny-max=[0-9]* alpha=0.55,' N3.csv)" = 4 ]
    fails 2 bench N5 --n 100
    err_has "--n is not for 'N5'"
}

@test "filters" {
    if is_emulated; then expect filters 0 66; else expect filters 66 0; fi
    is_emulated || [ "$(ls filters*.svg | tr '\n' ' ')" = "filters-chains.svg filters-measures.svg filters-neighbours.svg filters-points.svg filters-windows.svg " ]
    # 33 chains at two sizes; eight point stages fused and not; measuring stages are compared with a read
    [ "$(grep -c ',fused,' filters.csv) $(grep -c ',no-fuse,' filters.csv)" = "60 6" ]
    grep -q '^filters,chain,fused,[a-z]*,5184,u8,random,"stages=gray,blur:sigma=1.1:radius=2,contrast:1.2,threshold:0.5,hist size=96x54 channels=3",' filters.csv
    is_emulated || [ "$(grep -cE ',,[0-9.e+-]+,yes,,,$' filters.csv)" = 12 ]
    [[ $output == *"  not judged: (every chain gives the bits of its judge)"*"(not the experiment's sizes; here: 66 of 66 rows)" ]]
}

@test "transfers" {
    if is_emulated; then expect transfers 0 16; else expect transfers 2 0; fi
    grep -q '^transfers,chain,pageable-1,[a-z]*,57600,u8,random,"stages=gray,.*,hist size=320x180 threads=[0-9]*",' transfers.csv
    works bench transfers --size 33x17 --device cpu --threads 2
    [ "$(tail -n +2 transfers.csv | cut -d, -f 3-5)" = "pageable-1,cpu,561" ]
}

@test "filters: --size, --threads, --device" {
    GPUFILTER_MEMORY=8M works bench filters --size 33x17 --threads 1 --device cpu --repeat 3
    [ "$(tail -n +2 filters.csv | cut -d, -f 4,5 | sort -u)" = "cpu,561" ]
    [ "$(tail -n +2 filters.csv | wc -l)" = 33 ]
    [[ $output == *"    threshold u8             at 33x17 "*" of a copy"* ]]
    [[ $output == *"    hist and stats u8        at 33x17 "*" of a read"* ]]
}

@test "claims: judged from rows of the experiment's own sizes only" {
    GPUFILTER_MEMORY=8M works bench C1 --n 2^14,2^16,2^18 --repeat 3
    [ "$(grep -c '^  not judged: Runtime: O(n)' <<<"$output")" = 3 ]
    [[ $output == *"(not the text's sizes; here: from 2^14 to 2^18 time grows as n^"*" by what 3 points are off it "*"; too few points, or single runs)"* ]]
    GPUFILTER_MEMORY=8M works bench search --device cpu --n 2^10,2^14 --repeat 3
    [[ $output == *"(not the experiment's sizes; here: fastest at "?" of 2, too close at "* ]]
    GPUFILTER_MEMORY=8M works bench G1 --quick
    [ "$(grep -c '^  not judged: ' <<<"$output")" = 3 ]
    is_emulated && [[ $output == *"here: an emulated device has no times)"*"(not the text's sizes; here: 28 of 28 rows)"* ]]
    is_emulated || "$GPUFILTER_BIN" devices | grep -q '^cuda:' || [[ $output == *"    basic                    no rows: "* ]]
}

@test "claims of the CPU are judged at the text's sizes, without a GPU" {
    GPUFILTER_MEMORY=8M works bench C1 --repeat 3
    [ "$(grep -cE '^  (holds on this device|does not hold on this device|too close to tell): Runtime: O\(n\)' <<<"$output")" = 3 ]
}

@test "S5: the index that each variant found, in rows and in words" {
    GPUFILTER_MEMORY=8M works bench S5 --quick --device cpu
    [[ $output == *"    sequential, CPU          seed 1 at index "*"; seed 2 at index "*"; seed 3 at index "* ]]
    [ "$(cut -d, -f 3,16 S5.csv | grep -c ',at index [0-9]*$')" = "$(($(wc -l <S5.csv) - 1))" ]
    for seed in 1 2 3; do
        [ "$(grep "seed=$seed " S5.csv | cut -d, -f 16 | sort -u | wc -l)" = 1 ]
    done
    grep -q '>index</text>' S5.svg
}

@test "G3 and C4: additions and launches are counted, and judged at any size" {
    is_emulated || skip "the device is not emulated"
    works bench G3 --quick
    [ "$(cut -d, -f 3,5,17,18 G3.csv | grep -E '^(hillis-steele|blelloch),4096' | tr '\n' ' ')" = "hillis-steele,4096,3,24608 blelloch,4096,3,8128 " ]
    [[ $output == *"does not hold on this device: Work-Efficient Scan (Hillis-Steele)"*"holds on this device: Blelloch Scan"* ]]
    [[ $output == *"counted at 2^12: 1.98 additions an element"* ]]
    works bench C4 --quick
    [[ $output == *"counted at 2^11: 11 launches; log2 n is 11)"*"counted at 2^11: 24 launches; log2 n is 11)"* ]]
}

@test "-q: the claims only" {
    GPUFILTER_MEMORY=8M works bench C1 --quick --repeat 1 -q
    [ "$(grep -cv '^  not judged: \|^    (' <<<"$output")" = 0 ]
    [ "${#lines[@]}" = 6 ]
}

@test "titles and figures say no sizes but those that were measured" {
    GPUFILTER_MEMORY=8M works bench C3 --quick --repeat 1
    ! grep -q 'powers of 2' C3*.svg
    GPUFILTER_MEMORY=8M works bench reduce --device cpu --n 1000 --repeat 3
    [ "$(grep -c 'class="bar"' reduce.svg)" = "$(tail -n +2 reduce.csv | wc -l)" ]
    grep -q '>elements: 1000</text>' reduce.svg
    GPUFILTER_MEMORY=8M works bench S5 --quick --device cpu
    grep -q '>S5; n = 2000; what each variant found</text>' S5.svg
}

@test "where nothing was measured there is no figure" {
    GPUFILTER_MEMORY=8M works bench G2 --quick --device cpu
    ls G2.svg
    works bench C2 --quick --device cpu
    [[ $output == *"  no figure of 1 panel: nothing was measured"* ]]
    [ ! -e C2.svg ]
}

@test "--n, --out, --device" {
    GPUFILTER_MEMORY=8M works bench reduce --n 100,2^8-3 --repeat 1 --device cpu --out results/of/today # made
    [ "$(ls results/of/today | tr '\n' ' ')" = "reduce.csv reduce.svg " ]
    [ "$(tail -n +2 results/of/today/reduce.csv | cut -d, -f 3-5 | tr '\n' ' ')" = "sequential,cpu,100 auto,cpu,100 sequential,cpu,253 auto,cpu,253 " ]
    only_files results
}

@test "rows are written as they come: a run that is killed keeps them" {
    GPUFILTER_MEMORY=8M "$GPUFILTER_BIN" bench reduce --n 1e3,2e3,3e3,4e3,5e3,6e3,7e3,8e3 --device cpu --out kept 3>&- &
    for ((i = 0; i < 200 && $(cat kept/reduce.csv 2>/dev/null | wc -l) < 3; i++)); do sleep 0.1; done
    kill -9 $!
    wait $! || true
    [ "$(ls kept)" = reduce.csv ]
    [ "$(sed -n 's/^reduce,reduce,\([a-z]*\),cpu,\([0-9]*\),f32,.*,,$/\1 \2/p' kept/reduce.csv | head -n 2 | tr '\n' ' ')" = "sequential 1000 auto 1000 " ]
}

@test "on a terminal it says what it measures, and elsewhere only with -v" {
    command -v script >/dev/null || skip "no script"
    export GPUFILTER_MEMORY=8M
    script -qec "'$GPUFILTER_BIN' bench reduce --n 100,200 --repeat 1 --device cpu" /dev/null >shown </dev/null
    grep -q 'gpufilter: reduce: reduce .*--n 200.*, behind 2 rows' shown
    works bench reduce --n 100,200 --repeat 1 --device cpu
    [ -z "$stderr" ]
    works bench reduce --n 100,200 --repeat 1 --device cpu -v
    err_has "reduce: reduce "
    err_has ", behind 3 rows"
}

@test "a figure has a line for each series, and its labels" {
    GPUFILTER_MEMORY=8M works bench reduce --n 100,1000 --repeat 1 --device cpu
    [ "$(grep -c '<circle ' reduce.svg)" = 2 ]
    grep -q '>sequential, CPU</text>' reduce.svg
    grep -q '>auto, CPU</text>' reduce.svg
    grep -q '>Sum of f32</text>' reduce.svg
    [ "$(grep -o ' stroke-dasharray="[^"]*"' reduce.svg | sort -u | wc -l)" = 2 ] # told apart without colours
    ! command -v xmllint >/dev/null || xmllint --noout reduce.svg
}

@test "what is refused" {
    fails 2 bench S6
    err_has "error: the experiment is 'S6': must be S1, S2"
    err_has "did you mean 'S1'?"
    fails 2 bench G6 --n 2^10
    err_has "--n is not for 'G6'"
    fails 2 bench S1 S2
    err_is "error: 'S2' is one word too many: gpufilter bench ID [options]"
    fails 2 bench --lsit
    err_has "did you mean '--list'?"
    touch file
    fails 4 bench reduce --quick --out file
    err_is "error: file/reduce.csv: Not a directory"
    fails 4 bench reduce --quick --out file/none
    rm file
    fails 2 bench reduce --n x
    err_has "--n is 'x'"
    fails 2 bench reduce --device moon
    fails 2 bench filters --device moon
    fails 2 bench reduce --size 8x8
    err_has "--size is not for 'reduce'"
    fails 2 bench filters --n 100
    err_has "--n is not for 'filters'"
    for size in 8 8x 0x8 8x8x8 -3x4; do
        fails 2 bench filters --size "$size"
        err_has "--size is '$size': must be WIDTHxHEIGHT"
    done
    [ -z "$(ls -A)" ]
}
