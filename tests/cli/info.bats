# gpufilter info: what files are.
load common

@test "pictures and signals in one go, and as JSON" {
    colours
    printf 'time,ecg\n1,2\n3,4\n' >two.csv
    npy line.npy '<f8' '2,' 00 00 00 00 00 00 f0 3f 00 00 00 00 00 00 00 40
    gf two.csv two.wav --rate 8kHz --sample s24 --columns ecg
    printf 'LIST\x04\0\0\0abcd' >>two.wav
    works info colours.npy two.csv two.wav line.npy
    fails 3 info colours.npy --limit pixels=1
    err_has "--limit pixels="
    fails 2 info line.npy --limit pixel=1
    works info colours.npy two.csv two.wav line.npy --limit pixels=1M
    [ "${lines[0]}" = "colours.npy: npy, 2 x 2 RGB u8, 8 bits a sample in 140 bytes" ]
    [ "${lines[1]}" = "two.csv: csv, 2 frames of 2 channels, no rate, text; columns time, ecg" ]
    [ "${lines[2]}" = "two.wav: wav, 2 frames of 1 channel at 8000 Hz, 0.00025 s, s24; LIST: not kept" ]
    [ "${lines[3]}" = "line.npy: npy, 2 frames of 1 channel, no rate, f64" ]
    works info --json colours.npy two.csv two.wav
    [ "$(jq -c '[.files[] | [.kind, .format, .channels, .bits, .rate]]' <<<"$output")" = \
        '[["picture","npy",3,8,null],["signal","csv",2,0,null],["signal","wav",1,24,8000]]' ]
    [ "$(jq -c '.files[1].names' <<<"$output")" = '["time","ecg"]' ]
    [ "$(jq -r '.files[2].note' <<<"$output")" = "LIST: not kept" ]
}

@test "what cannot be read is an error, and the others are told" {
    colours
    printf '%s\n' 1 2 3 4 5 6 >long.csv
    gf long.csv long.wav --rate 8kHz
    head -c "$(($(stat -c %s long.wav) - 5))" long.wav >cut.wav
    head -c 100 colours.npy >cut.npy
    run --separate-stderr gf info missing.png cut.wav cut.npy colours.npy
    [ "$status" = 3 ]
    [ "$output" = "colours.npy: npy, 2 x 2 RGB u8, 8 bits a sample in 140 bytes" ]
    [[ $stderr == *"missing.png: cannot open"*"cut.wav: ends early: "*"of 6 frames are missing"*"cut.npy: "* ]]
    run --separate-stderr gf info --json cut.wav colours.npy
    [ "$status" = 3 ]
    [[ $(jq -r '.files[0].error' <<<"$output") == *"ends early"* ]]
    [ "$(jq -r '.files[1].kind' <<<"$output")" = picture ]
    fails 2 info
    err_is "error: info needs a file: gpufilter info FILE..."
    fails 2 info -
    err_is "error: standard input: comes once, and info looks at a file twice: save it first"
}

@test "the orientation of EXIF, whose bytes are counted" {
    gf version --json | jq -e '.formats[] | select(.name == "jpeg") | .writes' >/dev/null || skip "no JPEG"
    npy six.npy '|u1' '2, 3' 00 10 20 30 40 50
    gf six.npy six.jpg
    # an APP1 with a directory of one tag: 0x0112, SHORT, 6
    { head -c 2 six.jpg && printf '\xff\xe1\x00\x22Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0' &&
        tail -c +3 six.jpg; } >turned.jpg
    works info turned.jpg
    [[ $output == "turned.jpg: jpeg, 2 x 3 gray u8, 8 bits a sample in "*"; EXIF of 26 bytes; turned by orientation 6" ]]
}

@test "an array of one dimension is a signal, unless it is said to be a picture" {
    npy line.npy '<f4' '3,' 00 00 80 3f 00 00 00 00 00 00 00 3f
    works line.npy out.csv --stages gain:2
    [ "$(paste -sd ' ' out.csv)" = "2 0 1" ]
    fails 2 line.npy out.npy --stages canny
    err_has "it works on pictures, and gets a signal"
    err_has "--signal picture"
    works line.npy out.png --stages invert --signal picture
    works info out.png
    [[ $output == "out.png: png, 3 x 1 gray u16"* ]]
}
