# gpufilter batch --shard: parts of a batch for several processes and machines.
load common

setup() {
    : "${GPUFILTER_BIN:?name the program}"
    unset GPUFILTER_DEVICE GPUFILTER_THREADS GPUFILTER_MEMORY
    unset SLURM_ARRAY_TASK_ID SLURM_PROCID OMPI_COMM_WORLD_RANK PMI_RANK JOB_COMPLETION_INDEX RANK PARALLEL_SEQ SLURM_STEP_ID
    mkdir "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
    local i
    mkdir -p in/sub
    for ((i = 0; i < 40; i++)); do
        npy "in/$([ $((i % 3)) = 0 ] && echo sub/)p$i.npy" '|u1' '1, 4' 00 01 02 "$(printf %02x $i)"
    done
}

dry() { # words..., environment first
    run --separate-stderr -0 env "${@:2}" "$GPUFILTER_BIN" batch in -r -o out --stages invert --dry-run --shard "$1"
}

@test "eight shards give the tree of one run, each file once" {
    local k
    works batch in -r -o one --stages invert --progress off
    for k in 1 2 3 4 5 6 7 8; do
        works batch in -r -o many --stages invert --progress json --shard $k/8 --report 'r{shard}.jsonl' --journal 'j{shard}'
        jq -r 'select(.input).input' <<<"$output" >>inputs
        [ -f r$k.jsonl ]
        [ "$(jq -r 'select(.status == "done").input' j$k | sort)" = "$(jq -r 'select(.input).input' <<<"$output" | sort)" ]
        [ "$(jq -r 'select(.input).input' <<<"$output" | wc -l)" -lt 20 ]
    done
    diff -r one many
    [ "$(sort inputs | uniq -d | wc -l)" = 0 ]
    [ "$(wc -l <inputs)" = 40 ]
}

@test "a file's shard depends on its name alone" {
    dry 3/4
    before=$output
    npy in/new.npy '|u1' '1, 1' 00
    dry 3/4
    [ "$(grep -v in/new.npy <<<"$output")" = "$before" ]
    mv in moved
    run --separate-stderr -0 "$GPUFILTER_BIN" batch moved -r -o out --stages invert --dry-run --shard 3/4
    [ "$(grep -v moved/new.npy <<<"$output")" = "${before//in\//moved\/}" ]
}

@test "auto: as the scheduler says" {
    dry 2/5
    expected=$output
    for environment in "SLURM_ARRAY_TASK_ID=8 SLURM_ARRAY_TASK_MIN=7 SLURM_ARRAY_TASK_COUNT=5 SLURM_PROCID=0 SLURM_NTASKS=1" \
        "SLURM_ARRAY_TASK_ID=14 SLURM_ARRAY_TASK_MIN=10 SLURM_ARRAY_TASK_STEP=4 SLURM_ARRAY_TASK_COUNT=5" \
        "SLURM_PROCID=1 SLURM_NTASKS=5" "OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=5" "PMI_RANK=1 PMI_SIZE=5" \
        "JOB_COMPLETION_INDEX=1 JOB_COMPLETIONS=5" "RANK=1 WORLD_SIZE=5" \
        "SLURM_PROCID=1 SLURM_NTASKS=5 RANK=0 WORLD_SIZE=9"; do
        dry auto $environment
        [ "$output" = "$expected" ] || { echo "$environment" && return 1; }
    done
    dry 6/8
    expected=$output
    dry auto SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_COUNT=4 SLURM_STEP_ID=0 SLURM_PROCID=1 SLURM_NTASKS=2
    [ "$output" = "$expected" ]
}

@test "auto: one task of an array alone does all files, and says so" {
    export SLURM_ARRAY_TASK_ID=37 SLURM_ARRAY_TASK_MIN=37 SLURM_ARRAY_TASK_MAX=37 SLURM_ARRAY_TASK_COUNT=1
    works batch in -o out --stages invert --shard auto
    err_is "note: --shard auto: task 37 is the only one of its array, so all files are done: part 1 of 1"
    for SLURM_ARRAY_TASK_ID in 0 1; do
        SLURM_ARRAY_TASK_MIN=$SLURM_ARRAY_TASK_ID works batch in -o out --stages invert --shard auto
        [ -z "$stderr" ]
    done
}

@test "auto without a scheduler, or one that says half" {
    fails 2 batch in -o out --stages invert --shard auto
    err_is "error: --shard auto: no scheduler says which part this is; it asks for SLURM_ARRAY_TASK_ID,"
    PARALLEL_SEQ=3 fails 2 batch in -o out --stages invert --shard auto
    err_has "say so, as in --shard {#}/8"
    JOB_COMPLETION_INDEX=3 fails 2 batch in -o out --stages invert --shard auto
    err_is "error: --shard auto: JOB_COMPLETION_INDEX is set (Kubernetes), but JOB_COMPLETIONS is not set; --shard K/N says it too"
    RANK=5 WORLD_SIZE=5 fails 2 batch in -o out --stages invert --shard auto
    err_has "RANK is 5, not one of the 5 from 0 on"
    for shard in 0/4 5/4 x 1 1/ 1/0 -1/4 1/4x; do
        fails 2 batch in -o out --stages invert --shard $shard
        err_is "error: --shard is '$shard': must be K/N, as 2/8 for the second of eight parts, or auto"
    done
}

@test "a shard without files is done at once" {
    rm -r in
    mkdir in
    npy in/a.npy '|u1' '1, 1' 00
    for k in 1 2 3 4; do works batch in -o out --stages invert --shard $k/4; done
    [ -f out/a.npy ]
}

@test "names of --from - are sharded, too" {
    find in -name '*.npy' >names
    for k in 1 2 3; do works batch --from - -o out --stages invert --shard $k/3 --progress off <names; done
    [ "$(find out -name '*.npy' | wc -l)" = 40 ]
}
