#!/usr/bin/env bats
# script/rank-networks.

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return 1
}

@test "rank_networks.def is what its script writes" {
    command -v python3 >/dev/null || skip "no python3"
    script/rank-networks --check
}
