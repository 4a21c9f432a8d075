# Arrays of .npy as pictures, whatever NumPy's type.
load common

@test "npy: bool, halves, doubles and integers are pictures, with a note" {
    npy f8.npy '<f8' '1, 2' 00 00 00 00 00 00 e0 3f 00 00 00 00 00 00 f0 3f
    npy f2.npy '>f2' '1, 2' 38 00 3c 00
    for file in f8 f2; do
        works $file.npy out.npy
        [ "$(samples out.npy)" = "00 00 00 3f 00 00 80 3f" ]
    done
    err_is "note: f2.npy: npy: float16 is read as f32"
    works f8.npy out.png
    err_has "note: f8.npy: npy: float64 is read as f32, rounded"
    npy i2.npy '<i2' '1, 2' fe ff 2c 01
    works i2.npy out.npy
    err_is "note: i2.npy: npy: int16 is read as f32, unscaled: white is 1"
    [ "$(samples out.npy)" = "00 00 00 c0 00 00 96 43" ]
    npy i8.npy '<i8' '1, 1' 07 00 00 00 00 00 00 00
    works i8.npy --stages stats
    err_is "note: i8.npy: npy: int64 is read as f32, rounded above 2^24, unscaled: white is 1"
    grep -Eq "^ *max +7$" <<<"$output"
    npy b1.npy '|b1' '1, 3' 00 01 01
    works b1.npy out.npy
    err_is "note: b1.npy: npy: bool is read as u8, 0 and 255"
    [ "$(samples out.npy)" = "00 ff ff" ]
}

@test "npy: by rows, from a pipe and at once the same" {
    npy big.npy '>f8' '600, 500' < <(seq 1000000 | head -c 2400000)
    works big.npy rows.npy --stages invert --memory 1M
    works - pipe.npy --stages invert <big.npy
    works big.npy whole.npy --stages invert --verify
    cmp rows.npy pipe.npy
    cmp rows.npy whole.npy
}

@test "npy: what list formats says, and what is no picture" {
    works list formats
    grep -E '^npy .* bool is read as u8, other numbers as f32;' <<<"$output"
    npy c8.npy '<c8' '1,' 00 00 00 00 00 00 00 00
    fails 3 c8.npy out.npy
    err_is "error: c8.npy: samples of type complex64 are not read; valid are bool, uint8 to uint64, int8 to int64, float16, float32 and float64"
    npy i8.npy '<i8' '1, 1' 07 00 00 00 00 00 00 00
    fails 2 compare i8.npy i8.npy
    err_has "samples of type int64 are not read; valid are bool, uint8 to uint64, int8 to int32, float16"
    npy t.npy '<U5' '1,' 00 00 00 00
    fails 3 t.npy out.npy
    err_has "samples of type U5 are not read"
    npy i4.npy '<i4' '2,' 01 00 00 01 02 00 00 01
    npy j4.npy '<i4' '2,' 01 00 00 01 03 00 00 01
    works compare i4.npy i4.npy
    run --separate-stderr -1 gf compare i4.npy j4.npy
    [[ ${lines[*]} == *"largest    1"* ]]
}

@test "npy: arrays of prim keep their types" {
    npy i4.npy '<i4' '3,' 03 00 00 00 ff ff ff ff 05 00 00 00
    works prim sort --in i4.npy --out out.npy --repeat 2
    [ -z "$stderr" ]
    [ "$(samples out.npy)" = "ff ff ff ff 03 00 00 00 05 00 00 00" ]
    npy i1.npy '|i1' '3,' 03 ff 05
    works prim sort --in i1.npy --out out.npy --repeat 2
    err_is "note: i1.npy: npy: int8 is read as i16"
    [ "$(samples out.npy)" = "ff ff 03 00 05 00" ]
}

@test "prim: results have no name of another format" {
    for option in --out --values-out; do
        fails 2 prim sort --n 10 --values index $option x.png
        err_is "error: x.png: results are written as .npy, and .png is a suffix of png: call it x.npy"
    done
    works prim sort --n 10 --out x.NPY --repeat 2
    works prim sort --n 10 --out x.data --repeat 2
    cmp x.NPY x.data
    only_files x.NPY x.data
}

@test "OUT is a folder, with a suffix or without; a name that is too long" {
    ramp
    mkdir folder folder.npy folder.d
    for out in folder folder/ folder.npy folder.d ./folder; do
        fails 4 ramp.npy "$out"
        err_is "error: $out: is a folder, not a file"
    done
    fails 4 ramp.npy "$(printf 'x%.0s' {1..5000}).npy"
    err_has "x.npy: cannot write: File name too long"
    only_files folder folder.npy folder.d ramp.npy
}
