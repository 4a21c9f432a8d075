# Segments and runs on the command line: from files, made, and what is refused.

load ../cli/common
load common_prim

# Writes numbers of a type as .npy: write_npy FILE TYPE NUMBER...
write_npy() {
    python3 - "$@" <<'END'
import struct, sys
name, kind, numbers = sys.argv[1], sys.argv[2], sys.argv[3:]
codes = {"i64": ("<i8", "q"), "u32": ("<u4", "I"), "f32": ("<f4", "f")}
descr, code = codes[kind]
head = "{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }" % (descr, len(numbers))
head += " " * (63 - (10 + len(head)) % 64) + "\n"
with open(name, "wb") as f:
    f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
    f.write(b"".join(struct.pack("<" + code, float(n) if code == "f" else int(n)) for n in numbers))
END
}

# The numbers of a .npy, as python's struct calls the type: read_npy FILE CODE
read_npy() {
    python3 - "$@" <<'END'
import struct, sys
data = open(sys.argv[1], "rb").read()
data = data[10 + struct.unpack("<H", data[8:10])[0]:]
print(*struct.unpack("<%d%s" % (len(data) // struct.calcsize(sys.argv[2]), sys.argv[2]), data))
END
}

@test "segments from files: sums and places" {
    write_npy v.npy f32 1 2 3 4 5 6
    write_npy o.npy i64 0 2 2 6
    prim segmented_reduce --in v.npy --offsets o.npy --out s.npy --device cpu
    [ "$(read_npy s.npy d)" = "3.0 0.0 18.0" ]
    prim segmented_reduce --in v.npy --offsets o.npy --op argmax --out s.npy --device cpu
    [ "$(read_npy s.npy q)" = "1 -1 3" ]
}

@test "offsets that are wrong are refused, and which one" {
    write_npy v.npy f32 1 2 3 4 5 6
    write_npy o.npy i64 0 4 2 6
    fails 3 prim segmented_reduce --in v.npy --offsets o.npy --device cpu
    err_is "error: o.npy: offset 2 is 2: they must ascend from 0 to the number of elements, 6"
    write_npy o.npy i64 0 4 5
    fails 3 prim segmented_reduce --in v.npy --offsets o.npy --device cpu
    write_npy o.npy u32 0 6
    fails 3 prim segmented_reduce --in v.npy --offsets o.npy --device cpu
    fails 2 prim segmented_reduce --n 10 --offsets o.npy --segments 2 --device cpu
    fails 2 prim segmented_reduce --n 10 --op mean --device cpu
}

@test "bounds, differences, unique keys with values, tables of pairs, a range of bits: from files" {
    write_npy s.npy u32 1 3 3 3 8
    write_npy k.npy u32 3 0 9 8
    prim bounds --in s.npy --in2 k.npy --out p.npy --device cpu
    [ "$(read_npy p.npy q)" = "1 0 5 4" ]
    prim bounds --in s.npy --in2 k.npy --side count --out p.npy --device cpu
    [ "$(read_npy p.npy q)" = "3 0 0 1" ]
    fails 3 prim bounds --in k.npy --in2 s.npy --device cpu
    err_has "k.npy: element 1 is out of order, 0 behind 3: bounds takes arrays that ascend, unless --order is desc"
    fails 2 prim bounds --in s.npy --device cpu
    prim adjacent_difference --in s.npy --out d.npy --device cpu
    [ "$(read_npy d.npy I)" = "1 2 0 0 5" ]
    write_npy v.npy i64 10 20 30 40 50
    prim unique_by_key --in s.npy --values v.npy --out u.npy --keys-out k.npy --device cpu
    [ "$(read_npy u.npy q)" = "10 20 50" ]
    [ "$(read_npy k.npy I)" = "1 3 8" ]
    write_npy y.npy u32 0 1 1 0 1
    prim histogram_2d --in s.npy --in2 y.npy --bins 2x1 --range 0:4 --weights v.npy --out t.npy --device cpu --json
    [ "$(json .result)" = '{"column":1,"row":0,"greatest":90}' ]
    fails 2 prim histogram_2d --in s.npy --device cpu
    fails 2 prim histogram_2d --n 10 --bins 0x3 --device cpu
    fails 3 prim histogram_2d --n 10 --weights f32 --device cpu
    write_npy b.npy u32 5 6 7 1 2
    prim sort --in b.npy --bits 1:1 --out o.npy --device cpu
    [ "$(read_npy o.npy I)" = "5 1 6 7 2" ]
    fails 2 prim sort --n 10 --bits 4 --device cpu
    err_is "error: --bits is '4': must be FIRST:COUNT, like 8:16"
}

@test "runs of a file: keys, lengths, beginnings" {
    write_npy k.npy u32 7 7 7 4 9 9
    prim run_length --in k.npy --out u.npy --counts-out c.npy --device cpu
    [ "$(read_npy u.npy I)" = "7 4 9" ]
    [ "$(read_npy c.npy q)" = "3 1 2" ]
    prim run_length --in k.npy --indices --out b.npy --device cpu
    [ "$(read_npy b.npy q)" = "0 3 4" ]
    prim run_length --in k.npy --unique --out u.npy --device cpu
    [ "$(read_npy u.npy I)" = "7 4 9" ]
    fails 2 prim run_length --in k.npy --unique --counts-out c.npy --device cpu
    fails 2 prim run_length --data runs:0.5 --n 10
}

@test "values by keys of files" {
    write_npy k.npy u32 7 7 7 4 9 9
    write_npy v.npy f32 1 2 3 4 5 6
    prim reduce_by_key --in v.npy --keys k.npy --out s.npy --keys-out u.npy --device cpu
    [ "$(read_npy s.npy d)" = "6.0 4.0 11.0" ]
    [ "$(read_npy u.npy I)" = "7 4 9" ]
    write_npy k.npy u32 7 7
    fails 3 prim reduce_by_key --in v.npy --keys k.npy --device cpu
    err_is "error: k.npy: holds 2 keys, must hold as many as there are elements, 6"
}

@test "scans that begin anew with each segment and each key" {
    write_npy k.npy u32 7 7 7 4 9 9
    write_npy v.npy f32 1 2 3 4 5 6
    write_npy o.npy i64 0 2 2 6
    prim scan_by_key --in v.npy --keys k.npy --out s.npy --device cpu
    [ "$(read_npy s.npy f)" = "0.0 1.0 3.0 0.0 0.0 5.0" ]
    prim scan_by_key --in v.npy --keys k.npy --kind inclusive --op max --out s.npy --device cpu
    [ "$(read_npy s.npy f)" = "1.0 2.0 3.0 4.0 5.0 6.0" ]
    prim segmented_scan --in v.npy --offsets o.npy --kind inclusive --out-type f64 --out s.npy --device cpu
    [ "$(read_npy s.npy d)" = "1.0 3.0 3.0 7.0 12.0 18.0" ]
    fails 2 prim scan_by_key --in v.npy --keys k.npy --op product
    fails 2 prim segmented_scan --n 10 --keys k.npy
    write_npy k.npy u32 7 7
    fails 3 prim scan_by_key --in v.npy --keys k.npy --device cpu
}

@test "every device gives what sequential gives" {
    for words in "segmented_reduce --rows zipf --segments 50" "run_length --data runs:1.5" \
                 "reduce_by_key --keys runs:3000 --op min" "scan_by_key --type f32 --keys runs:300" \
                 "segmented_scan --type f64 --rows zipf --segments 50"; do
        prim $words --n 20001 --algo all --repeat 3
        [[ $output != *"no  "* ]]
    done
}
