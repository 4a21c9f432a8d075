# Files for --pipeline: what they may be, and where an error is in them.
load common

@test "an error names file, line and column" {
    ramp
    printf 'gray # of colour\n# nothing\n  bluur:2\n' >bad.txt
    fails 2 ramp.npy out.npy --stages invert --pipeline bad.txt
    err_is "error: bad.txt:3:3: stage 3 'bluur': unknown stage; did you mean 'blur'?"
    [ "${stderr_lines[1]}" = "    bluur:2" ]
    [ "${stderr_lines[2]}" = "    ^~~~~" ]
    fails 2 ramp.npy out.npy --pipeline - <bad.txt
    err_is "error: standard input:3:3: stage 2 'bluur': unknown stage; did you mean 'blur'?"
    printf "gray:name='\xc3\xa9t\xc3\xa9',blur:radiu=2" >accent.txt
    fails 2 ramp.npy out.npy --pipeline accent.txt
    err_is "error: accent.txt:1:22: stage 2 'blur': no parameter 'radiu'; did you mean 'radius'?"
    echo gray >good.txt
    fails 2 ramp.npy out.npy --pipeline good.txt --stages bluur
    err_is "error: stage 2 'bluur': unknown stage; did you mean 'blur'?"
    fails 2 ramp.npy out.npy --pipeline /dev/null
    err_is "error: /dev/null: the pipeline has no stages"
    only_files ramp.npy bad.txt accent.txt good.txt
}

@test "so does an error that shows when the picture is known, with --compute f32, too" {
    ramp
    printf 'gray\nthreshold:level=110\n' >level.txt
    fails 2 ramp.npy out.npy --stages blur --pipeline level.txt
    err_has "level.txt:2:17: stage 3 'threshold': level is 110 times full scale"
    fails 2 ramp.npy out.npy --pipeline level.txt --compute f32
    err_has "level.txt:2:17: stage 2 'threshold': level is 110 times full scale"
    printf 'gray\nstats:roi=9x9+0+0\n' >roi.txt
    fails 2 ramp.npy --pipeline roi.txt
    err_has "roi.txt:2:11: stage 2 'stats': roi=9x9+0+0 reaches outside"
    only_files ramp.npy level.txt roi.txt
}

@test "the form that Windows writes" {
    ramp
    printf '\xef\xbb\xbfinvert\r\nblur\r\n' >windows.txt
    printf 'invert\nblur\n' >unix.txt
    works ramp.npy a.npy --pipeline windows.txt
    works ramp.npy b.npy --pipeline unix.txt
    cmp a.npy b.npy
    works ramp.npy a.npy --stages invert --pipeline windows.txt
    printf '\xef\xbb\xbfinvert\r\nbluur\r\n' >bad.txt
    fails 2 ramp.npy out.npy --pipeline bad.txt
    err_is "error: bad.txt:2:1: stage 2 'bluur': unknown stage; did you mean 'blur'?"
}

@test "JSON reads back" {
    list='blur:2.5:border=wrap,threshold:otsu,hist:64:name="a b",brightness:amount=-0.25:roi=2x2+1+0:channels=rgb'
    gf --print-pipeline json --stages "$list" >chain.json
    works --print-pipeline text --stages "$list"
    text=$output
    works --print-pipeline text --pipeline chain.json
    [ "$output" = "$text" ]
    works --print-pipeline text --stages "$(jq -S . chain.json)"
    [ "$output" = "$text" ]
    works --print-pipeline text --stages invert --pipeline chain.json --stages sobel
    [ "$output" = "invert,$text,sobel" ]
    printf '{"stages":[\n {"op":"gray"},\n {"op":"bluur"}]}\n' >bad.json
    fails 2 --print-pipeline text --stages invert --pipeline bad.json
    err_is "error: bad.json:3:9: stage 2 'bluur': unknown stage; did you mean 'blur'?"
    ramp
    printf '{"stages":[{"op":"threshold","level":110}]}' >level.json
    fails 2 ramp.npy out.npy --pipeline level.json
    err_has "level.json: stage 1 'threshold': level is 110 times full scale"
}

@test "of a file that is no pipeline no more is shown than its first word" {
    printf 'root:secret-hash:19000:0:99999:7:::\n' >shadow
    ramp
    fails 2 ramp.npy out.npy --pipeline shadow
    err_is "error: shadow:1:1: stage 1 'root': unknown stage"
    [[ $stderr != *secret* ]]
    printf '# a comment\n\nblurr:secret\n' >typo.txt
    fails 2 ramp.npy out.npy --pipeline typo.txt
    err_is "error: typo.txt:3:1: stage 1 'blurr': unknown stage; did you mean 'blur'?"
    err_has "  \`gpufilter list\` names all "
}
