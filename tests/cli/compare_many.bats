# gpufilter compare: folders, hashes, reports for people and programs, requests; and what may differ where.
load common

setup() {
    : "${GPUFILTER_BIN:?name the program}"
    mkdir "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
    npy a.npy '|u1' '2, 4' 00 10 20 30 40 50 60 70
    npy b.npy '|u1' '2, 4' 00 10 20 32 40 50 5c 70
}

# Two folders: same.png is equal, spot.png and deep/x.png differ, gone.png and new.png are in one of them.
folders() {
    mkdir -p A/deep B/deep
    gf a.npy A/same.png
    gf a.npy B/same.png --png-level 9
    gf a.npy A/spot.png
    gf b.npy B/spot.png
    cp A/spot.png A/deep/x.png
    cp B/spot.png B/deep/x.png
    cp A/same.png A/gone.png
    cp A/same.png B/new.png
    echo no picture >A/notes.txt
}

@test "folders: equal, changed, new, missing; JSON; exit codes" {
    folders
    run --separate-stderr -1 gf compare A B
    out_is "changed  deep/x.png: 2 of 8 samples (25%) by more than 0, largest 4, PSNR 44.15 dB" \
        "missing  gone.png" "new      new.png" \
        "changed  spot.png: 2 of 8 samples (25%) by more than 0, largest 4, PSNR 44.15 dB" \
        "1 equal, 2 changed, 1 new, 1 missing"
    [ -z "$stderr" ]
    run --separate-stderr -1 gf compare A B --json
    [ "$(jq -c '[.equal, .counts.changed, (.pairs | length), .pairs[0].name, .pairs[0].pixel_count, .pairs[0].box]' <<<"$output")" = \
        '[false,2,5,"deep/x.png",2,{"x":2,"y":0,"w":2,"h":2}]' ]
    [ "$(jq -c '.pairs[] | select(.verdict == "new") | [.a, .b.path, .equal]' <<<"$output")" = '[null,"B/new.png",false]' ]
    works compare A B --max-diff 4 --include spot.png --include 'same.*'
    out_is "1 equal, 1 within the tolerance"
    works compare A B --exclude '*/x.png' --exclude spot.png --exclude gone.png --exclude new.png
    out_is "1 equal"
    works compare A A
    out_is "4 equal"
    works compare A A --json --include spot.png
    [ "$(jq -c '[.pairs[0] | .same_bytes, .identical, .a.width]' <<<"$output")" = '[true,true,4]' ]
    echo broken >B/spot.png
    run --separate-stderr -2 gf compare A B
    [[ $output == *"failed   spot.png: B/spot.png: "*"1 failed"* ]]
    fails 2 compare A/same.png B/same.png --update
    err_is "error: --update is for two folders, or with --expect"
}

@test "folders: --update copies what is new and changed; --diff is a folder of pictures" {
    folders
    run --separate-stderr -1 gf compare A B --diff D
    [ "$(find D -type f | sort | tr '\n' ' ')" = "D/deep/x.png D/spot.png " ]
    run --separate-stderr -1 gf compare A B --update
    [[ $output == *"; updated" ]]
    cmp A/new.png B/new.png
    cmp A/deep/x.png B/deep/x.png
    [ -e A/gone.png ]
    rm A/gone.png
    works compare A B --diff D
    out_is "5 equal" || out_is "4 equal"
    head -c 60 B/new.png >B/cut.png # its header is there
    run --separate-stderr -2 gf compare A B --update
    [[ $output == "failed   cut.png: B/cut.png: "* ]]
    [ ! -e A/cut.png ]
    echo broken >A/broken.png
    cp A/broken.png B
    run --separate-stderr -2 gf compare A B --exclude cut.png
    [[ $output == "failed   broken.png: A/broken.png: "*"4 equal, 1 failed" ]]
}

@test "hashes as goldens: one, and a file of them" {
    folders
    # hashlib.sha256(b"gpufilter 4x2x1 u8\n" + bytes([0, 16, 32, 48, 64, 80, 96, 112])).hexdigest()
    local hash
    hash=$(printf 'gpufilter 4x2x1 u8\n\000\020\040\060\100\120\140\160' | sha256sum | cut -d' ' -f1)
    works compare a.npy --expect "$hash"
    works compare A/same.png --expect "${hash^^}"
    run --separate-stderr -1 gf compare b.npy --expect "$hash"
    [[ ${lines[0]} == "changed  b.npy: its hash is "* ]]
    works compare B --expect goldens.txt --update
    [ "$(cut -c67- goldens.txt | tr '\n' ' ')" = "deep/x.png new.png same.png spot.png " ]
    works compare B --expect goldens.txt
    out_is "4 equal"
    run --separate-stderr -1 gf compare A --expect goldens.txt
    [[ ${lines[0]} == "changed  deep/x.png: its hash is $hash" && ${lines[1]} == "new      gone.png"* && ${lines[2]} == "missing  new.png" ]]
    [ "${lines[-1]}" = "1 equal, 2 changed, 1 new, 1 missing" ]
    echo broken >A/broken.png
    run --separate-stderr -2 gf compare A --expect made.txt --update
    ! grep broken made.txt # and so it is a file of hashes all the same
    run --separate-stderr -2 gf compare A --expect made.txt
    [[ ${lines[-1]} == "4 equal, 1 failed" ]]
    rm A/broken.png
    echo "$hash same.png" >wrong.txt
    fails 2 compare A --expect wrong.txt
    err_is "error: wrong.txt: line 1 is no hash of 64 digits, two spaces and a name"
    fails 2 compare A --expect "$hash"
    err_is "error: A is a folder: --expect needs a file of hashes for it"
    fails 2 compare a.npy --expect "$hash" --update
    fails 2 compare a.npy b.npy --expect "$hash"
}

@test "--allow, --ignore, --mask, --metrics, --ssim" {
    works compare a.npy b.npy --allow 2
    run -1 gf compare a.npy b.npy --allow 1
    works compare a.npy b.npy --allow 25%
    run -1 gf compare a.npy b.npy --allow 24%
    works compare a.npy b.npy --ignore 1x1+3+0 --ignore 1x1+2+1
    [ "${lines[1]}" = "  ignored    2 pixels" ]
    run --separate-stderr -1 gf compare a.npy b.npy --ignore 4x1+0+0
    [[ $output == *"1 of 4 samples"* ]]
    fails 2 compare a.npy b.npy --ignore 4x1+1+0
    err_is "error: --ignore 4x1+1+0 reaches outside the pictures, which are 4 x 2"
    npy mask.npy '|u1' '2, 4' ff ff ff 00 ff ff 00 ff
    works compare a.npy b.npy --mask mask.npy
    npy small.npy '|u1' '1, 4' ff ff ff 00
    fails 2 compare a.npy b.npy --mask small.npy
    err_has "the mask is 4 x 1"
    run --separate-stderr -1 gf compare a.npy b.npy --metrics ssim,ciede2000
    [[ $output == *"  SSIM       not defined"*"  CIEDE2000  mean "* ]]
    fails 2 compare a.npy b.npy --metrics sim
    err_has "did you mean 'ssim'?"
    head -c 1200 /dev/urandom | npy big.npy '|u1' '20, 60'
    gf big.npy blurred.npy --stages blur:0.6
    works compare big.npy big.npy --ssim 1 --ms-ssim 1
    run --separate-stderr -1 gf compare big.npy blurred.npy --ssim 1
    works compare big.npy blurred.npy --ssim "$(sed -n 's/.*passes.*--ssim //p' <<<"$output")"
    fails 2 compare a.npy b.npy --yiq 0.1 --max-diff 3
    err_is "error: only one of --max-diff, --yiq and --ciede2000 says by what pixels differ"
    works compare a.npy b.npy --yiq 0.1
    works compare a.npy b.npy --ciede2000 2
    run -1 gf compare a.npy b.npy --ciede2000 0.1
    fails 2 compare a.npy b.npy --yiq 1.1
}

@test "--antialias: a line that is smoothed elsewhere; --diff-style" {
    gf a.npy white.npy --stages resize:40x30:filter=box,expr:1
    gf white.npy one.png --stages text:WX/:size=20:colour=0
    gf one.png two.png --stages blur:0.45
    run --separate-stderr -1 gf compare one.png two.png --yiq 0.05 --json
    local all=$(jq .pixel_count <<<"$output")
    run --separate-stderr gf compare one.png two.png --yiq 0.05 --antialias --json
    [ "$(jq '.pixel_count + .antialiased' <<<"$output")" = "$all" ]
    run -1 gf compare a.npy b.npy --diff mask.npy --diff-style mask
    [ "$(samples mask.npy)" = "00 00 00 ff 00 00 ff 00" ]
    run --separate-stderr -1 gf compare a.npy b.npy --diff marks.npy
    [ "${lines[-1]}" = "  diff       marks.npy: A, faded; red are the pixels that differ" ]
    [ "$(samples marks.npy)" = "bf bf bf c3 c3 c3 c7 c7 c7 e6 00 14 cf cf cf d3 d3 d3 e6 00 14 db db db" ]
    works compare a.npy a.npy --diff marks.npy --ignore 1x1+0+0
    [[ "$(samples marks.npy)" == "8f a7 bf c3 c3 c3 "* ]]
}

@test "--shift tells a moved picture from a changed one" {
    head -c 3000 /dev/urandom | npy big.npy '|u1' '50, 60'
    gf big.npy one.png --stages crop:40x30+10+10
    gf big.npy two.png --stages crop:40x30+8+13
    run --separate-stderr -1 gf compare one.png two.png --shift 4
    [[ $output == *"  moved      by 2 to the right and 3 up; then 0 of 1026 pixels differ"* ]]
    run --separate-stderr -1 gf compare one.png two.png --shift 2 --json
    [ "$(jq -c '[.verdict, .shift.pixel_count > 0]' <<<"$output")" = '["changed",true]' ]
    run --separate-stderr -1 gf compare one.png two.png --shift 4 --json
    [ "$(jq -c '[.verdict, .shift]' <<<"$output")" = '["moved",{"x":2,"y":-3,"pixels":1026,"pixel_count":0}]' ]
    fails 2 compare one.png two.png --shift 300
}

@test "JUnit's XML and reg.json" {
    folders
    mv B/new.png 'B/n<&">.png'
    run -1 gf compare A B --junit j.xml --reg-json reg.json --diff D -q
    [ "$(jq -c '[.failedItems, .newItems, .deletedItems, .passedItems, .diffItems, .actualDir, .expectedDir, .diffDir]' reg.json)" = \
        '[["deep/x.png","spot.png"],["n<&\">.png"],["gone.png"],["same.png"],["deep/x.png","spot.png"],"B","A","D"]' ]
    [ "$(jq -c '[.expectedItems, .actualItems] | map(length)' reg.json)" = '[4,4]' ]
    grep -q '<testsuite name="gpufilter compare" tests="5" failures="4" errors="0">' j.xml
    grep -q 'name="n&lt;&amp;&quot;&gt;.png"' j.xml
    python3 -c 'import sys, xml.etree.ElementTree as t
cases = t.parse("j.xml").getroot().findall("testcase")
sys.exit(not (len(cases) == 5 and cases[0].find("failure").get("message").startswith("2 of 8 samples")))'
}

@test "--html: one file, and a browser shows it" {
    folders
    npy wide.npy '<f4' '1, 2' 00 00 00 3f 00 00 80 3f
    npy other.npy '<f4' '1, 2' 00 00 00 3f 00 00 00 3f
    mv wide.npy 'A/w<script>.npy'
    mv other.npy 'B/w<script>.npy'
    run -1 gf compare A B --html out.html -q
    ! grep -q 'src="http\|href="http\|@import' out.html
    sed -n '/id="data">/,/<\/script>/p' out.html | sed 's/.*id="data">//; s/<\/script>.*//' >data.json
    [ "$(jq -c '[(.pairs | length), .pairs[0].name, (.pairs[0].a[:22]), (.pairs[-1].b[:22]), (.pairs[0].marks[:22])]' data.json)" = \
        '[6,"deep/x.png","data:image/png;base64,","data:image/png;base64,","data:image/png;base64,"]' ]
    run -1 gf compare a.npy b.npy --html two.html
    local browser
    browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip "no Chromium here"
    for _ in 1 2 3; do # a busy machine decodes pictures too late for its clock
        timeout 60 "$browser" --headless --no-sandbox --disable-gpu --virtual-time-budget=5000 --dump-dom "file://$PWD/out.html?mode=marks&spot=1" \
            >dom.html 2>err.txt || skip "the browser does not run here: $(tail -n 1 err.txt)"
        ! grep -q 'x 3 y 0  A 48' dom.html || break
    done
    grep -q 'data-ready="6"' dom.html
    grep -q '<a href="#deep%2Fx.png" aria-current="true">deep/x.png<small class="changed">changed</small></a>' dom.html
    grep -q 'x 3 y 0  A 48 48 48 255  B 50 50 50 255' dom.html
}

@test "--server answers as odiff does, and says what is wrong with a request" {
    gf a.npy a.png
    gf a.npy dark.png --stages invert
    gf a.npy small.png --stages crop:2x2+0+0
    printf '%s\n' '{"requestId":1,"base":"a.png","compare":"dark.png","output":"d.png"}' \
        '{"requestId":2,"base":"a.png","compare":"a.png","output":"e.png"}' '' \
        '{"requestId":3,"base":"a.png","compare":"small.png"}' \
        '{"requestId":"four","base":"a.png","compare":"none.png"}' 'no object' '{"requestId":5,"compare":"a.png"}' \
        '{"requestId":6,"base":"a.png","compare":"dark.png","options":{"threshold":1}}' \
        '{"requestId":7,"base":"a.png","compare":"dark.png","options":{"ignoreRegions":[{"x1":0,"y1":0,"x2":3,"y2":0}]}}' \
        '{"requestId":8,"base":"\u0061.png","compare":"a.png","options":{"threshold":2}}' \
        '{"requestId":9,"base":"-","compare":"a.png"}' >requests
    printf '{"requestId":10,"base":"a.png","compare":"a.png"}\0.\n' >>requests
    cp a.png $'x\xff.png' # as --json writes such a name
    echo '{"requestId":11,"base":"x\udcff.png","compare":"a.png"}' >>requests
    run --separate-stderr -0 bash -c '"$GPUFILTER_BIN" compare --server <requests'
    [ "${lines[0]}" = '{"ready":true}' ]
    [ "${lines[1]}" = '{"requestId":1,"match":false,"reason":"pixel-diff","diffCount":8,"diffPercentage":100.00}' ]
    [ "${lines[2]}" = '{"requestId":2,"match":true}' ]
    [ "${lines[3]}" = '{"requestId":3,"match":false,"reason":"layout-diff"}' ]
    [[ ${lines[4]} == '{"requestId":"four","error":"none.png: '* ]]
    [ "${lines[5]}" = '{"error":"the line is no JSON object"}' ]
    [ "${lines[6]}" = '{"requestId":5,"error":"the request has no \"base\""}' ]
    [ "${lines[7]}" = '{"requestId":6,"match":true}' ]
    [ "${lines[8]}" = '{"requestId":7,"match":false,"reason":"pixel-diff","diffCount":4,"diffPercentage":100.00}' ]
    [ "${lines[9]}" = '{"requestId":8,"error":"\"threshold\" must be a number from 0 to 1"}' ]
    [ "${lines[10]}" = '{"requestId":9,"error":"\"base\" is no name of a file"}' ] # requests come there
    [ "${lines[11]}" = '{"error":"the line is no JSON object"}' ]
    [ "${lines[12]}" = '{"requestId":11,"match":true}' ]
    [ -e d.png ]
    [ ! -e e.png ]
}

@test "--show: pictures in terminals" {
    run --separate-stderr -1 gf compare a.npy b.npy --show=kitty
    [[ $output == *$'\e_Ga=T,f=100,m=0;iVBOR'*$'\e\\'* ]]
    run --separate-stderr -1 gf compare a.npy b.npy --show=iterm
    [[ $output == *$'\e]1337;File=inline=1;size='*':iVBOR'*$'\a'* ]]
    run --separate-stderr -1 gf compare a.npy b.npy --show=sixel
    [[ $output == *$'\eP0;1q"1;1;4;2'*$'\e\\'* ]]
    run --separate-stderr -1 env -u KITTY_WINDOW_ID -u TERM_PROGRAM -u KONSOLE_VERSION TERM=dumb "$GPUFILTER_BIN" compare a.npy b.npy --show
    err_has "this terminal is not known to show pictures"
    run --separate-stderr -1 env TERM=xterm-kitty "$GPUFILTER_BIN" compare a.npy b.npy --show
    [[ $output == *$'\e_Ga=T'* ]]
}

@test "pictures larger than memory are compared in bounded memory" {
    local most
    without_sanitizer
    truncate -s 144000000 zeros
    npy big.npy '|u1' '12000, 12000' <zeros
    gf big.npy one.png
    rm big.npy zeros
    cp one.png two.png
    for format in png; do
        /usr/bin/time -f %M -o most.txt "$GPUFILTER_BIN" compare one.png two.png --limit pixels=1G --antialias
        most=$(tail -n 1 most.txt)
        [ "$most" -lt 60000 ] || { echo "took $most KB"; return 1; }
    done
}
