# SPDX-License-Identifier: Apache-2.0
# `ptxwb selfcheck` where no GPU is: it says so and claims nothing. With a GPU the table itself is the test.
source "$(dirname "$0")/expect.sh"

expect 2 ptxwb selfcheck
said 'selfcheck --gpu'
expect 2 ptxwb selfcheck --gpu --device -1
export PTXWB_RUNNER=/nowhere/ptxwb-runner
expect 3 ptxwb selfcheck --gpu
said PTXWB_RUNNER
expect 3 ptxwb selfcheck --gpu --json
document ptxwb.error.v1
