# SPDX-License-Identifier: Apache-2.0
# One queue of candidates: resumed, the same whatever the order, each bad line named. And what CI may require.
source "$(dirname "$0")/expect.sh"
needs ptxas

gemm="$tree/tasks/gemm/gemm_n7168_k5120"
batch=(--task gemm_n7168_k5120 --on none --out answers.jsonl)
cat > two.jsonl << END
{"id": "good", "file": "$gemm/examples/wgmma_tma.ptx"}

{"id": "bad", "file": "$gemm/failed/does_not_assemble.ptx"}
{"id": "text", "text": "not ptx at all", "name": "x.ptx"}
END
expect 2 ptxwb eval
expect 2 ptxwb eval --batch two.jsonl
said --out
expect 2 ptxwb eval x.ptx --batch two.jsonl "${batch[@]}"
expect 1 ptxwb eval --batch two.jsonl "${batch[@]}"
printed 'compile_error: 1'
cp answers.jsonl first.jsonl
expect 1 ptxwb eval --batch two.jsonl "${batch[@]}" --json
document ptxwb.batch.v1
wants 3 lines
wants 1 verdicts compile_error
[ "$(cut -d, -f2 answers.jsonl | tr -d '\n')" = '"id":"good""id":"bad""id":"text"' ] || fail 'not in the order of the input'
# Resumed: a cut last line is done again, what is there is not.
head -c -40 first.jsonl > answers.jsonl
expect 1 ptxwb eval --batch two.jsonl "${batch[@]}"
said '3 lines, 1 answered already'
[ "$(wc -l < answers.jsonl)" = 3 ] || fail 'not three answers'
tac two.jsonl > turned.jsonl
expect 1 ptxwb eval --batch turned.jsonl "${batch[@]}" --again
[ "$(grep -o '"seed":[0-9]*' answers.jsonl | sort)" = "$(grep -o '"seed":[0-9]*' first.jsonl | sort)" ] || fail 'the seed depends on the order'

printf '{"file": "x.ptx"}\n' > missing.jsonl
expect 2 ptxwb eval --batch missing.jsonl "${batch[@]}"
said 'line 1'
printf '{"file": "x.ptx", "files": 1}\n' > key.jsonl
expect 1 ptxwb eval --batch key.jsonl "${batch[@]}"
said 'files'
printf 'nonsense\n' > nonsense.jsonl
expect 1 ptxwb eval --batch nonsense.jsonl "${batch[@]}"
said 'line 1'
printf '{"text": "a", "name": "a.ptx", "id": "1"}\n{"text": "b", "name": "b.ptx", "id": "1"}\n' > twice.jsonl
expect 1 ptxwb eval --batch twice.jsonl "${batch[@]}"
said 'stands in line 1 already'
: > empty.jsonl
expect 1 ptxwb eval --batch empty.jsonl "${batch[@]}"
expect 2 ptxwb eval --batch two.jsonl --task gemm_n7168_k5120 --out two.jsonl --on none
export PTXWB_RUNNER=/nowhere/ptxwb-runner
expect 3 ptxwb eval --batch two.jsonl --task gemm_n7168_k5120 --out gpu.jsonl --gpus all

# --require
kernel=("$gemm/examples/plain.ptx" --task gemm_n7168_k5120 --on none)
expect 2 ptxwb eval "${kernel[@]}" --require 'wgmma,speedup>0.x'
said 'column 15'
expect 2 ptxwb eval "${kernel[@]}" --require 'wgmma,,tma'
said 'column 7'
expect 2 ptxwb eval "${kernel[@]}" --require 'speedup'
said 'needs a bound'
expect 2 ptxwb eval "${kernel[@]}" --require 'beauty>=3'
said beauty
expect 2 ptxwb eval "${kernel[@]}" --require 'speedup=1'
expect 3 ptxwb eval "${kernel[@]}" --require 'wgmma,speedup>=0.95' --json
said 'not met: wgmma: not in the code'
said 'not met: speedup>=0.95: not measured'
wants OFF requirements 0 met
expect 3 ptxwb eval "${kernel[@]}" --require 'registers<=255,spill_bytes<=0'
if grep -qF 'not met' "$scratch/err"; then fail 'registers and spills are known without a GPU'; fi
