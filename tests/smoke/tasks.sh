#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
source "$(dirname "$0")/expect.sh"

expect 0 ptxwb tasks
printed gemm_n7168_k5120
expect 0 ptxwb tasks --json
document ptxwb.tasks.v1
expect 0 ptxwb tasks gemm_n7168_k5120
printed paper
printed 'baseline: cuBLASLt'
expect 0 ptxwb tasks gqa_paged_decode_h24_kv8_d128_ps1
printed 'oracle: gathered_attention'
printed 'baseline: none yet'

# A FlashInfer Trace root, as it is: our own definition without what checks it, and one that cannot be read.
mkdir -p root/definitions/gemm root/definitions/odd root/workloads/gemm
cat > root/definitions/gemm/gemm_n7168_k5120.json << 'END'
{"name": "gemm_n7168_k5120", "op_type": "gemm", "description": "from a data set", "tags": ["status:verified"],
 "axes": {"M": {"type": "var"}, "N": {"type": "const", "value": 7168}, "K": {"type": "const", "value": 5120}},
 "inputs": {"A": {"shape": ["M", "K"], "dtype": "bfloat16"}, "B": {"shape": ["N", "K"], "dtype": "bfloat16"}},
 "outputs": {"C": {"shape": ["M", "N"], "dtype": "bfloat16"}},
 "reference": "import torch\ndef run(A, B):\n    return torch.matmul(A, B.T)\n"}
END
sed 's/gemm_n7168_k5120/mine/; s/7168/64/g' root/definitions/gemm/gemm_n7168_k5120.json > root/definitions/gemm/mine.json
for name in gemm_n7168_k5120 mine; do
    printf '{"definition": "%s", "solution": null, "workload": {"axes": {"M": 640}, "inputs": {"A": {"type": "random"}, "B": {"type": "random"}}, "uuid": "11112222-0000-0000-0000-000000000000"}, "evaluation": null}\n' \
        $name > root/workloads/gemm/$name.jsonl
done
printf 'no json' > root/definitions/odd/broken.json
expect 0 ptxwb tasks --dataset root
printed 'gemm_n7168_k5120 (gemm)'
printed 'oracle: gemm_nt'
printed 'oracle: none yet'
said 'broken'
expect 0 ptxwb tasks mine --dataset root --json
wants 11112222-0000-0000-0000-000000000000 tasks 0 workloads 0 uuid
expect 2 ptxwb tasks nothing --dataset root
said 'gemm_n7168_k5120'
expect 2 ptxwb tasks --dataset "$tree/docs"
said 'no root of FlashInfer Trace'
needs ptxas
expect 3 ptxwb eval "$tree/tasks/gemm/gemm_n7168_k5120/examples/plain.ptx" --dataset root --task gemm_n7168_k5120 --on none --json
document ptxwb.eval.v1
wants 640 workload axes M
said 'the first of 1'
