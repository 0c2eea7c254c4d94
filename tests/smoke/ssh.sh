# SPDX-License-Identifier: Apache-2.0
# A runner on another machine: a password prompt, an unknown host, no runner there are typed states, and nothing waits for
# a password. `ssh` is a stand-in here; ssh_local.sh takes a real one.
source "$(dirname "$0")/expect.sh"
needs ptxas

gemm="$tree/tasks/gemm/gemm_n7168_k5120"
kernel=("$gemm/examples/plain.ptx" --task gemm_n7168_k5120 --on ssh:somewhere)
mkdir -p bin
ssh_says() {
    printf '#!/bin/sh\nprintf "%%s\\n" "$*" > %q\necho %q >&2\nexit %s\n' "$PWD/arguments" "$1" "$2" > bin/ssh
    chmod +x bin/ssh
}
export PATH="$PWD/bin:$PATH"

ssh_says 'me@somewhere: Permission denied (publickey,password).' 255
expect 3 ptxwb eval "${kernel[@]}"
printed 'ssh:somewhere: it asks for a password, or refuses the key'
printed 'ssh-copy-id'
grep -qF 'BatchMode=yes' arguments || fail 'ssh may prompt'
ssh_says 'Host key verification failed.' 255
expect 3 ptxwb eval "${kernel[@]}" --json
document ptxwb.eval.v1
printed 'host key is not known'
ssh_says 'sh: 1: ptxwb-runner: not found' 127
expect 3 ptxwb eval "${kernel[@]}"
if [ -x "$(dirname "$PTXWB_PROGRAM")/ptxwb-runner" ]; then
    printed 'ssh:somewhere: ptxwb-runner is not there and could not be copied'
else
    printed 'ptxwb-runner is not on the path there'
fi
expect 3 ptxwb bench "$gemm/examples/plain.ptx" "$gemm/examples/plain.ptx" --task gemm_n7168_k5120 --on ssh:somewhere
said 'ssh:somewhere: ptxwb-runner is not'
ssh_says 'slurmstepd: error: *** STEP 1.0 CANCELLED DUE TO PREEMPTION ***' 143
expect 3 ptxwb eval "${kernel[@]}"
printed 'the job was preempted'
