#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
source "$(dirname "$0")/expect.sh"

expect 0 ptxwb doctor
printed ptxas
printed nvdisasm
expect 0 ptxwb doctor --json
document ptxwb.doctor.v1
printed TVM-FFI
