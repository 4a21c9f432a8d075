# .cube files of colours, borders that are cut off, and JPEG read smaller.
load common

# rgb.npy of 2 x 2 pixels: black, red, gray and white.
four() {
    npy rgb.npy '|u1' '2, 2, 3' 00 00 00 ff 00 00 80 80 80 ff ff ff
}

# The samples that stages make of a file.
made() { # FILE STAGES
    gf -q "$1" made.npy --stages "$2"
    samples made.npy
}

# identity.cube of N colours a side.
identity() { # N [HEAD]
    local n=$1 r g b
    printf 'TITLE "identity"\n# red changes fastest\n%bLUT_3D_SIZE %d\n' "${2:-}" "$n"
    for ((b = 0; b < n; b++)); do
        for ((g = 0; g < n; g++)); do
            for ((r = 0; r < n; r++)); do
                awk -v r=$r -v g=$g -v b=$b -v n=$((n - 1)) 'BEGIN { printf "%.9g %.9g %.9g\n", r / n, g / n, b / n }'
            done
        done
    done
}

@test "lut: a cube of no change changes nothing, of any size" {
    four
    for n in 2 9; do
        identity "$n" >f.cube
        works rgb.npy out.npy --stages lut:@f.cube --verify
        [ "$(samples out.npy)" = "$(samples rgb.npy)" ]
    done
    mv f.cube F.CUBE
    works rgb.npy out.npy --stages "lut:@F.CUBE,invert,invert" --compute f32
    [ "$(samples out.npy)" = "$(samples rgb.npy)" ]
}

@test "lut: what a cube says, its domain, and a curve of one dimension" {
    four
    printf 'LUT_3D_SIZE 2\n1 1 1\n0 1 1\n1 0 1\n0 0 1\n1 1 0\n0 1 0\n1 0 0\n0 0 0\n' >negative.cube
    works rgb.npy out.npy --stages lut:@negative.cube
    [ "$(samples out.npy)" = "$(made rgb.npy invert)" ]
    identity 2 'DOMAIN_MIN 0 0 0\nDOMAIN_MAX 2 2 2\n' >half.cube
    works rgb.npy out.npy --stages lut:@half.cube
    [ "$(samples out.npy)" = "$(made rgb.npy 'gain:[0.5]')" ]
    printf 'LUT_1D_SIZE 2\nDOMAIN_MIN -0 0 0\n1 1 1\n0 0 0\n' >curve.cube # -0 is 0
    works rgb.npy out.npy --stages lut:@curve.cube
    [ "$(samples out.npy)" = "$(made rgb.npy invert)" ]
    printf 'LUT_1D_SIZE 2\r\n1 0 0\r\n0 1 1\r\n' >curve.cube
    works rgb.npy out.npy --stages lut:@curve.cube
    [ "$(samples out.npy)" = "$(made rgb.npy 'lut:[1 0; 0 1; 0 1]')" ]
}

@test "lut: a damaged .cube is refused with its line" {
    four
    refused() { # LINE WORDS; the file comes from standard input
        cat >bad.cube
        fails 3 rgb.npy out.npy --stages lut:@bad.cube
        err_has "stage 1 'lut': bad.cube: line $1: $2"
    }
    printf '' | refused 1 'LUT_1D_SIZE or LUT_3D_SIZE must come before'
    printf 'LUT_3D_SIZE 1\n' | refused 1 'LUT_3D_SIZE must be a whole number from 2 to 256'
    printf '\nLUT_3D_SIZE 257\n' | refused 2 'LUT_3D_SIZE must be'
    printf 'LUT_3D_SIZE 200\n0 0 0\n' | refused 1 'says 8000000 colours, and the file is too short'
    printf 'LUT_1D_SIZE 2\nLUT_3D_SIZE 2\n' | refused 2 'a second size'
    printf '# a\nLUT_3D_SIZES 2\n' | refused 2 'is neither three numbers nor'
    printf 'LUT_1D_SIZE 2\n0 0 0\n0 nan 0\n' | refused 3 'a colour must be three finite numbers'
    printf 'LUT_1D_SIZE 2\n0 0 0\n0 1 0 1\n' | refused 3 'a colour must be three finite numbers'
    printf 'LUT_1D_SIZE 2\n0 0 0\n0 0 0\n0 0 0\n' | refused 4 'there are more colours than the size says'
    printf 'LUT_1D_SIZE 3\n0 0 0\n0 0 0\n' | refused 4 'the file ends after 2 of 3 colours'
    printf 'DOMAIN_MAX 0 1 1\nLUT_1D_SIZE 2\n0 0 0\n' | refused 3 'the domain before it is empty'
    npy gray.npy '|u1' '1, 1' 07
    identity 2 >f.cube
    fails 2 gray.npy out.npy --stages lut:@f.cube
    err_has 'rgb comes before'
}

@test "trim cuts to what is not border, and --print-pipeline says what" {
    npy in.npy '|u1' '4, 5' 09 09 09 09 09 09 09 07 09 09 09 09 09 0a 09 09 09 09 09 09
    works in.npy out.npy --stages trim
    [ "$(samples out.npy)" = "$(made in.npy crop:2x2+2+1)" ]
    works --print-pipeline text in.npy --stages trim
    out_is 'trim:area=2x2+2+1'
    works in.npy out.npy --stages trim:1u8,invert --verify
    [ "$(samples out.npy)" = f8 ]
    works - out.npy --stages trim:margin=1,invert,trim <in.npy
    [ "$(samples out.npy)" = "$(made in.npy invert,crop:2x2+2+1)" ]
    works in.npy out.npy --stages trim:50%
    cmp in.npy out.npy
    works in.npy --stages bounds
    [[ $output == *width* ]]
    fails 2 in.npy out.npy --stages blend:@in.npy,trim
    err_has 'give area='
    mkdir in
    cp in.npy in/a.npy
    works batch in -o out --stages invert,trim
    [ "$(samples out/a.npy)" = "$(made in.npy invert,crop:2x2+2+1)" ]
    rm -r out
    works batch in -o out --stages trim:area=2x2+2+1
}

@test "--fast-load decodes a JPEG smaller where resize comes first" {
    head -c $((640 * 480 * 3)) /dev/zero | tr '\0' '\200' | npy in.npy '|u1' '480, 640, 3'
    gf -q in.npy in.jpg
    works --explain in.jpg out.npy --stages resize:100x --fast-load
    [[ $output == *'decoded 4 times smaller (--fast-load)'* ]]
    [[ $output == *'160 x 120'* ]]
    works in.jpg out.npy --stages resize:100x --fast-load
    works in.jpg whole.npy --stages resize:100x
    [ "$(gf compare out.npy whole.npy --max-diff 2u8 >/dev/null && echo same)" = same ]
    works in.jpg part.npy --stages resize:12.5% --fast-load
    head -c 128 part.npy | grep -aq '(60, 80, 3)'
    works in.jpg out.npy --stages invert --fast-load
    err_has 'note: --fast-load changes nothing: the first stage is no resize'
    works in.npy out.npy --stages resize:100x --fast-load
    err_has 'note: --fast-load changes nothing: IN is no JPEG'
    gf -q - out.npy --stages resize:80x --fast-load <in.jpg
    four
    for side in 257 264; do # which have 33 samples both
        gf -q rgb.npy $side.jpg --stages resize:${side}x$side:filter=triangle
        works $side.jpg whole.npy --stages resize:30x30
        for more in '' '--compute f32' '--threads 1'; do
            works $side.jpg out.npy --stages resize:30x30 --fast-load $more
            gf compare out.npy whole.npy --max-diff 3u8
        done
    done
    works batch 257.jpg 264.jpg -o many --format npy --stages resize:30x30 --fast-load --threads 1 -q
    cmp many/264.npy out.npy
    works 257.jpg out.npy --stages resize:30x30 --fast-load
    cmp many/257.npy out.npy
}
