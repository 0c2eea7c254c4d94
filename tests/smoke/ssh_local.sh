# SPDX-License-Identifier: Apache-2.0
# The same over a real ssh to a real sshd of this user on this machine: the runner's greeting comes through, a refused key and a
# connection cut in the middle are what they are.
source "$(dirname "$0")/expect.sh"
needs ptxas
sshd=$(PATH=$PATH:/usr/sbin:/sbin command -v sshd) || { printf 'skipped: no sshd here (openssh-server)\n'; exit 77; }
needs ssh
needs ssh-keygen

gemm="$tree/tasks/gemm/gemm_n7168_k5120"
kernel=("$gemm/examples/plain.ptx" --task gemm_n7168_k5120 --on ssh:here)
mkdir -p bin there
ssh-keygen -q -t ed25519 -N '' -f host_key
ssh-keygen -q -t ed25519 -N '' -f user_key
cp user_key.pub authorized
port=$((20000 + $$ % 20000))
cat > sshd_config << END
ListenAddress 127.0.0.1
Port $port
HostKey "$PWD/host_key"
AuthorizedKeysFile "$PWD/authorized"
StrictModes no
UsePAM no
PasswordAuthentication no
PidFile none
SetEnv PATH="$PWD/there:/usr/bin:/bin" XDG_CACHE_HOME="$PWD/cache there"
END
cat > ssh_config << END
Host here
  HostName 127.0.0.1
  Port $port
  IdentityFile "$PWD/user_key"
  IdentitiesOnly yes
  UserKnownHostsFile "$PWD/known"
  StrictHostKeyChecking accept-new
END
printf '#!/bin/sh\nexec %q -F %q "$@"\n' "$(command -v ssh)" "$PWD/ssh_config" > bin/ssh
chmod +x bin/ssh
export PATH="$PWD/bin:$PATH"
mkdir -p /run/sshd 2> /dev/null || true
"$sshd" -D -e -f "$PWD/sshd_config" 2> sshd.log &
server=$!
trap 'kill "$server" 2> /dev/null || true; rm -rf "$scratch"' EXIT
for _ in $(seq 50); do
    if grep -q 'Server listening' sshd.log; then break; fi
    sleep 0.1
done
grep -q 'Server listening' sshd.log || { printf 'skipped: sshd does not start here: %s\n' "$(head -c 200 sshd.log)"; exit 77; }

# Nothing there: this machine's runner is copied once, and only once.
runner=$(dirname "$PTXWB_PROGRAM")/ptxwb-runner
if [ -x "$runner" ]; then
    if ! command -v nvidia-smi > /dev/null; then
        expect 3 ptxwb eval "${kernel[@]}"
        printed 'looking for a GPU'
        copies=("cache there"/ptx-workbench/runners/*/ptxwb-runner)
        cmp "$runner" "${copies[0]}" || fail 'another runner was copied'
        touch -d '2001-01-01' "${copies[0]}"
        expect 3 ptxwb eval "${kernel[@]}"
        [ "$(date -r "${copies[0]}" +%Y)" = 2001 ] || fail 'it was copied again'
        rm -rf "cache there"
    fi
    : > "cache there" # a file where the folder should be
    expect 3 ptxwb eval "${kernel[@]}"
    printed 'could not be copied'
    rm "cache there"
else
    expect 3 ptxwb eval "${kernel[@]}"
    printed 'ptxwb-runner is not on the path there'
fi
hello='{"event":"hello","protocol":"ptxwb-runner","version":1,"build":"t","cuda_runtime":"13.0"}'
# The runner there kills the sshd of its own session: its nearest ancestor of that name.
cat > there/ptxwb-runner << END
#!/bin/sh
echo '$hello'
read line
process=\$\$
while case \$(ps -o comm= "\$process") in sshd*) false ;; esac do process=\$(ps -o ppid= "\$process" | tr -d ' '); done
kill -9 "\$process"
END
chmod +x there/ptxwb-runner
expect 3 ptxwb eval "${kernel[@]}"
printed 'ssh:here: the connection was lost'
: > authorized
expect 3 ptxwb eval "${kernel[@]}"
printed 'ssh:here: it asks for a password, or refuses the key'
