# The program in a build with the emulated device: its name, what it computes, and what happens when it fails.
# GF_EMU_FAIL=N:ERROR[:on] of tests/emu makes the N-th call of CUDA fail.
load ../cli/common

chain=blur:1,equalize,hist

# 40 x 30, u8, and what the CPU makes of it.
picture() {
    local bytes # drawn by one command: bats follows each
    mapfile -t bytes < <(awk 'BEGIN { for (i = 0; i < 1200; i++) printf "%02x\n", (i * i * 7 + i * 13) % 251 }')
    npy in.npy '|u1' '30, 40' "${bytes[@]}"
    works in.npy cpu.npy --device cpu --stages "$chain"
    cpu_results=$output
}

# Runs `gf words...` with the N-th call failing, N from the first to behind the last, every $1 calls; the error is
# $2. After each run calls `$3 N`, with exit status, $output and $stderr in place.
each_call() {
    local step=$1 error=$2 check=$3 n failures=0
    shift 3
    for ((n = 1; n < 400; n += step)); do
        rm -f out.npy
        GF_EMU_FAIL=$n:$error run --separate-stderr "$GPUFILTER_BIN" in.npy out.npy --stages "$chain" --threads 1 "$@"
        "$check" "$n" || { printf 'call %s, error %s: exit %s\n%s\n' "$n" "$error" "$status" "$stderr"; return 1; }
        [ -n "$stderr" ] || break
        failures=$((failures + 1))
    done
    ((n < 400 && failures >= 50 / step)) || { echo "only $failures runs failed, the last at call $n"; return 1; }
}

@test "the device is emu, and cuda is no word" {
    picture
    works devices
    [[ ${lines[1]} == "emu:0     emu, 4 multiprocessors, compute 9.0"* ]]
    [ "${#lines[@]}" = 2 ]
    works devices --json
    [ "$(jq -r '.devices[1].device' <<<"$output")" = emu:0 ]
    for word in cuda cuda:0; do
        fails 2 in.npy out.npy --device "$word" --stages "$chain"
        err_is "error: --device is '$word': must be auto, cpu, emu, emu:N or reference"
        GPUFILTER_DEVICE=$word fails 2 in.npy out.npy --stages "$chain"
        err_is "error: GPUFILTER_DEVICE is '$word': must be auto, cpu, emu, emu:N or reference"
    done
    fails 5 in.npy out.npy --device emu:1 --stages "$chain"
    err_is "error: there is no device emu:1: 1 found"
    works in.npy out.npy --device emu:0 --stages "$chain" -v
    err_is "device emu:0: as asked"
    ! grep -i cuda <<<"$stderr"
}

@test "a second device" {
    picture
    export GF_EMU_DEVICES=2
    works devices
    [[ ${lines[2]} == "emu:1     emu, 4 multiprocessors, "* ]]
    [ "${#lines[@]}" = 3 ]
    works in.npy cpu.npy --device cpu --stages "$chain"
    works in.npy out.npy --device emu:1 --stages "$chain" -v
    err_is "device emu:1: as asked"
    cmp cpu.npy out.npy
    fails 5 in.npy out.npy --device emu:2 --stages "$chain"
    err_is "error: there is no device emu:2: 2 found"
}

@test "auto chooses it for windows, and the CPU for points" {
    picture
    works --explain=json in.npy out.npy --stages "$chain" --threads 1
    [ "$(jq -r .plan.device <<<"$output")" = emu:0 ]
    reason=$(jq -r .plan.reason <<<"$output")
    ms='[0-9]+(\.[0-9]+)?'
    [[ $reason =~ ^auto:\ cpu\ $ms\ ms,\ emu\ $ms\ ms\ \(start\ 0\ \+\ copies\ $ms\ \+\ work\ $ms\)$ ]]
    works --explain in.npy out.npy --stages "$chain" --threads 1
    [ "${lines[2]}" = "device   emu:0 ($reason)" ]
    works in.npy out.npy --stages "$chain" --threads 1 -v
    err_is "device emu:0: $reason"
    works --explain=json in.npy out.npy --stages invert --threads 1
    [ "$(jq -r .plan.device <<<"$output")" = cpu ]
    [[ $(jq -r .plan.reason <<<"$output") == "auto: cpu "*", emu "*")" ]]
    works --explain=json in.npy out.npy --stages blur:1:radius=1 --threads 1 # faster, but hardly
    [ "$(jq -r .plan.device <<<"$output")" = cpu ]
    [[ $(jq -r .plan.reason <<<"$output") == "auto: cpu "*", emu "*"): gains too little" ]]
}

@test "it starts while the file is read: a failure is said once, where it is used" {
    picture
    for n in 1 2; do
        GF_EMU_FAIL=$n:46 fails 5 in.npy out.npy --device emu --stages "$chain"
        [ "${#stderr_lines[@]}" = 1 ]
        [[ $stderr == "gpufilter: error: cuda"*": unrecognized error code (CUDA error 46)" ]]
        GF_EMU_FAIL=$n:46 fails 5 - out.npy --device emu --stages "$chain" <in.npy
        [ "${#stderr_lines[@]}" = 1 ]
        GF_EMU_FAIL=$n:719 works in.npy out.npy --stages "$chain" --threads 1
        [[ $stderr == "gpufilter: warning: emu:0 failed: cuda"*"; continuing on the CPU" ]]
        cmp cpu.npy out.npy
    done
    rm out.npy
    head -c 200 in.npy >short.npy
    GF_EMU_FAIL=1:719 fails 3 short.npy out.npy --device emu --stages "$chain"
    [ "${#stderr_lines[@]}" = 1 ]
    [[ $stderr == "gpufilter: error: short.npy: "* ]]
    GF_EMU_FAIL=1:719 works --explain in.npy out.npy --device emu --stages "$chain"
    [ -z "$stderr" ]
    only_files in.npy cpu.npy short.npy
}

@test "what it computes are the CPU's bytes" {
    picture
    colours
    for stages in "$chain" sobel,stats box:2,threshold:otsu convert:f32,blur:2,gamma:2,convert:u16 gray,hist; do
        for file in in.npy colours.npy; do
            [[ $file$stages == in.npy*gray* ]] && continue
            works "$file" cpu.npy --device cpu --stages "$stages" --report cpu.json
            printed=$output
            works "$file" emu.npy --device emu --stages "$stages" --report emu.json --verify
            [ "$output" = "$printed" ]
            err_is "verified: emu:0 and cpu give the same, bit for bit"
            cmp cpu.npy emu.npy
            [ "$(jq -c .results cpu.json)" = "$(jq -c .results emu.json)" ]
            [ "$(jq -r .device emu.json)" = emu:0 ]
        done
    done
}

# A device that was ordered: 5 or 6, the error, and nothing else.
ordered() {
    if [ -n "$stderr" ]; then
        [ "$status" = "$code" ] && [ -z "$output" ] && [ ! -e out.npy ] && [ "${#stderr_lines[@]}" = 1 ] &&
            [[ $stderr == "gpufilter: error: "* ]]
    else
        [ "$status" = 0 ] && cmp cpu.npy out.npy
    fi
}

@test "--device emu never falls back: exit 5, or 6 for its memory, and no output" {
    picture
    code=5 each_call 5 719 ordered --device emu
    code=5 each_call 11 999:on ordered --device emu:0
    code=6 each_call 5 2 ordered --device emu
    code=6 GPUFILTER_DEVICE=emu each_call 13 2:on ordered
    only_files in.npy cpu.npy out.npy
}

@test "--device emu leaves the file that was there" {
    picture
    echo before >out.npy
    GF_EMU_FAIL=40:719 fails 5 in.npy out.npy --device emu --stages "$chain" --report r.json
    [ "$(cat out.npy)" = before ]
    only_files in.npy cpu.npy out.npy
}

# Every error says what failed and how; three launches are among the calls.
names_what_failed() {
    [[ $stderr != *"kernel gf_"* ]] || kernels=$((kernels + 1))
    [ -z "$stderr" ] || [[ $stderr =~ ^gpufilter:\ error:\ (cuda[A-Z][A-Za-z0-9\ ]+|kernel\ gf_[a-z0-9_]+):\ unspecified\ launch\ failure\ \(CUDA\ error\ 719\)$ ]]
}

@test "the error names call or kernel, and CUDA's error" {
    picture
    kernels=0
    each_call 1 719 names_what_failed --device emu
    [ "$kernels" -ge 3 ]
    GF_EMU_FAIL=4:46 fails 5 in.npy out.npy --device emu --stages "$chain"
    err_is "error: cudaStreamCreateWithFlags: unrecognized error code (CUDA error 46)"
}

# A device that the program chose: the CPU's bytes, results and exit code, and one warning.
fallen_back() {
    [ "$status" = 0 ] && [ "$output" = "$cpu_results" ] && cmp cpu.npy out.npy || return 1
    [ -z "$stderr" ] || { [ "${#stderr_lines[@]}" = 1 ] &&
        [[ $stderr == "gpufilter: warning: emu:0 failed: "*"; continuing on the CPU" ]]; }
}

@test "--device auto finishes on the CPU: the same bytes and one warning" {
    picture
    each_call 3 719 fallen_back
    each_call 7 2 fallen_back --device auto
    each_call 7 999 fallen_back
    each_call 11 700:on fallen_back
    each_call 11 46:on fallen_back
    each_call 13 2:on fallen_back
    only_files in.npy cpu.npy out.npy
}

@test "the report of such a run: device cpu, the reason, each result once" {
    picture
    for fail in 1:719 25:46:on 45:2; do
        error=$(cut -d : -f 2 <<<"$fail")
        GF_EMU_FAIL=$fail works in.npy out.npy --stages "$chain" --threads 1 --report r.json --verify
        [ "$output" = "$cpu_results" ]
        [[ ${stderr_lines[0]} == "gpufilter: warning: emu:0 failed: "*"(CUDA error $error); continuing on the CPU" ]]
        [ "${stderr_lines[1]}" = "gpufilter: verified: cpu and reference give the same, bit for bit" ]
        [ "${#stderr_lines[@]}" = 2 ]
        [ "$(jq -r .device r.json)" = cpu ]
        [ "$(jq -r .plan.device r.json)" = cpu ]
        [[ $(jq -r .plan.reason r.json) == "emu:0 failed: "*"(CUDA error $error)" ]]
        [ "$(jq -r .verified_by r.json)" = reference ]
        [ "$(jq -c '[.results[].stage]' r.json)" = '["hist"]' ]
        cmp cpu.npy out.npy
    done
}

@test "a measurement without OUT, and a picture in a pipe, which is read once" {
    picture
    GF_EMU_FAIL=30:700 works in.npy --stages "$chain" --threads 1
    [ "in.npy: $output" = "$cpu_results" ]
    [ "${#stderr_lines[@]}" = 1 ]
    GF_EMU_FAIL=30:700 "$GPUFILTER_BIN" - - --format npy --stages "$chain" --threads 1 2>said < <(cat in.npy) |
        cmp cpu.npy
    [ "$(grep -c 'warning: emu:0 failed' said)" = 1 ]
    [ "$(grep -c '^standard input: hist (stage 3)' said)" = 1 ]
}

@test "in bands: from the beginning where that can be had again, and never twice through a pipe" {
    local n words=(--stages blur:1,box:2,hist --threads 1)
    seq 100000 | head -c 360000 | npy tall.npy '|u1' '900, 400'
    works tall.npy cpu.npy --device cpu "${words[@]}"
    cpu_results=$output
    [ "$(gf tall.npy --explain=json "${words[@]}" --memory 200K | jq -c '[.plan.device, .plan.bands.count > 9]')" = '["emu:0",true]' ]
    for n in 1 4 20 100 300 400; do
        GF_EMU_FAIL=$n:719 works tall.npy out.npy "${words[@]}" --memory 200K
        fallen_back
    done
    cpu_results=${cpu_results/#tall.npy/standard input}
    for n in 1 2 4 12; do # before the first row
        GF_EMU_FAIL=$n:719 works - out.npy "${words[@]}" --memory 200K <tall.npy
        fallen_back
        [ -n "$stderr" ]
    done
    fails 6 tall.npy out.pfm "${words[@]}" --memory 200K --depth f32 # a limit is no failure of the device
    [ "${#stderr_lines[@]}" = 2 ]
    err_has "the output is held as a whole"
    head -c 300000 tall.npy >cut.npy
    fails 3 cut.npy out.npy "${words[@]}" --memory 200K
    [ "${#stderr_lines[@]}" = 1 ]
    rm cut.npy out.npy
    for n in 200 400; do
        GF_EMU_FAIL=$n:719 fails 5 - out.npy "${words[@]}" --memory 200K <tall.npy
        [ "${#stderr_lines[@]}" = 1 ]
        GF_EMU_FAIL=$n:719 gf tall.npy - --format npy "${words[@]}" --memory 200K >part.npy 2>said && return 1
        [[ $(cat said) == "gpufilter: error: "*"(CUDA error 719)" ]]
        cmp -n "$(stat -c %s part.npy)" part.npy cpu.npy
    done
    only_files cpu.npy part.npy said tall.npy
}

@test "-q says nothing of it, -v and the closing line say cpu" {
    picture
    GF_EMU_FAIL=30:719 works in.npy out.npy --stages "$chain" --threads 1 -q
    [ -z "$stderr" ]
    cmp cpu.npy out.npy
    GF_EMU_FAIL=30:719 works in.npy out.npy --stages "$chain" --threads 1 -v
    err_has "pass"
    err_has " on cpu; "
    [ "$(grep -c warning: <<<"$stderr")" = 1 ]
}

@test "an error of the command is none of the device: no second try" {
    picture
    GF_EMU_FAIL=40:1 fails 1 in.npy out.npy --stages "$chain" --threads 1
    [[ $stderr == "gpufilter: error: "*"(CUDA error 1)" ]]
    fails 6 in.npy out.npy --stages "$chain" --threads 1 --memory 1K
    err_has "memory limit"
    only_files in.npy cpu.npy
}

@test "--verify by a device that fails: the reference judges" {
    picture
    works in.npy out.npy --device cpu --stages "$chain" --verify
    err_is "verified: cpu and emu:0 give the same, bit for bit"
    for error in 719 2 46:on; do
        GF_EMU_FAIL=30:$error works in.npy out.npy --device cpu --stages "$chain" --verify --report r.json
        [[ ${stderr_lines[0]} == "gpufilter: warning: emu:0 failed: "*"; verifying with the reference" ]]
        [ "${stderr_lines[1]}" = "gpufilter: verified: cpu and reference give the same, bit for bit" ]
        [ "${#stderr_lines[@]}" = 2 ]
        [ "$(jq -r .verified_by r.json)" = reference ]
        cmp cpu.npy out.npy
    done
}

@test "devices lists what there is, and why there is no more" {
    GF_EMU_FAIL=1:719 works devices
    [ "${lines[1]}" = "emu       none: cudaGetDeviceCount: unspecified launch failure (CUDA error 719)" ]
    GF_EMU_FAIL=1:100 works devices
    [ "${lines[1]}" = "emu       none: there is no device emu:0" ]
}

# docs/course.md builds it so, and shows what it prints.
@test "the laboratory finds a missing barrier, and refuses one in a branch" {
    local root=$BATS_TEST_DIRNAME/../..
    g++ -std=c++17 -O1 -DGF_EMU -I"$root/kernels" -I"$root/kernels/include" -I"$root/tests/emu" -pthread \
        -x c++ "$root/docs/laboratory.cu" "$root"/tests/emu/emu*.cpp -o laboratory
    run ./laboratory
    [ "$status" = 1 ]
    [[ $output == "the last sum is "*", must be 32896" && $output != *" is 32896,"* ]]
    grep -qF "$output" "$root/docs/course.md"
    run ./laboratory branch
    [ "$status" -gt 1 ]
    [[ $output == *"emulator: kernel scan_in_steps, seed 0, launch 1, thread (1,0,0) of block (0,0,0) at __syncthreads, "*"divergent barrier"* ]]
    run ./laboratory right
    [ "$status" = 0 ]
    [ "$output" = "the last sum is 32896, must be 32896" ]
}
