# docs/peers.md: every stage is in it, and where the libraries are there it is what script/peers writes.
setup() {
    cd "$BATS_TEST_DIRNAME/../.." || exit 1
}

@test "every stage has a row in docs/peers.md, or a reason" {
    for name in $("$GPUFILTER_BIN" list | sed "/^signal$/,\$d" | sed -n 's/^  \([a-z0-9_]*\) .*/\1/p'); do
        grep -Eq "^\\| \`([^\`]*,)?$name[:\`]|^\\* \`$name\`: " docs/peers.md || { echo "no row: $name" && false; }
    done
}

@test "docs/peers.md is what the libraries give" {
    versions=$(/usr/bin/python3 -B -c 'import sys; sys.path.insert(0, "tests/peers"); import pictures
print("OpenCV {cv2}, SciPy {scipy}, scikit-image {skimage}, Pillow {PIL}".format(**pictures.VERSIONS))' 2>/dev/null) ||
        skip "OpenCV, SciPy, scikit-image or Pillow of Python are not installed"
    grep -qF "$versions" docs/peers.md || skip "docs/peers.md was written beside other versions than $versions"
    script/peers "$(dirname "$GPUFILTER_BIN")" --check
}
