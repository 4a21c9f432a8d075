# The manual pages, which are made from the tables that help uses.
load common

@test "the pages name every stage, parameter, option, limit and command" {
    gf help --man gpufilter >gpufilter.1
    gf help --man gpufilter-stages >gpufilter-stages.7
    plain() {
        sed 's/\\-/-/g' "$1"
    }
    works --help
    for option in $(sed -n '/^Options$/,/^$/s/.*--\([a-z-]*\).*/\1/p' <<<"$output"); do
        plain gpufilter.1 | grep -q -- "^\.It.* Fl -$option" || { echo "no --$option"; return 1; }
    done
    for command in $(sed -n 's/^  gpufilter \([a-z]*\) .*/\1/p' <<<"$output" | grep -v in); do
        grep -q "^\.It Cm $command" gpufilter.1
    done
    for limit in $(sed -n '/^Limits/{n;s/=[^ ]*//gp}' <<<"$output"); do
        plain gpufilter.1 | grep -q "^$limit="
    done
    works list
    for stage in $(sed -n 's/^  \([a-z0-9_]*\) .*/\1/p' <<<"$output"); do
        grep -q "^\.Ss $stage$" gpufilter-stages.7
        works help "$stage"
        for name in $(sed -n '/^Parameters$/,/^$/s/^  \([a-z_]*\) .*/\1/p' <<<"$output"); do
            sed -n "/^\.Ss $stage$/,/^\.Ss /p" gpufilter-stages.7 | grep -q "^\.It Cm $name Ns =$"
        done
    done
    fails 2 help --man gpufilter-nothing
}

@test "mandoc finds nothing to complain about" {
    command -v mandoc >/dev/null || skip "no mandoc here"
    for page in gpufilter gpufilter-stages; do
        gf help --man $page >page
        found=$(mandoc -Tlint page | grep -v 'referenced manual not found') || true
        [ -z "$found" ] || { echo "$found"; return 1; }
        mandoc -Tutf8 page | col -b >text
        [ "$(wc -l <text)" -ge 150 ]
        # An example keeps its dashes and quotes as they must be typed.
        grep -q -- '--stages gray,blur' text
    done
}
