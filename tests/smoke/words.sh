#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What is written on the command line, well and badly.
source "$(dirname "$0")/expect.sh"
needs ptxas

gemm="$tree/tasks/gemm/gemm_n7168_k5120"
good="$gemm/examples/plain.ptx"
task=(--task gemm_n7168_k5120 --on none)

expect 0 ptxwb --json --version
document ptxwb.version.v1
expect 0 ptxwb --json --help
document ptxwb.help.v1
expect 0 ptxwb compile --help --json
document ptxwb.help.v1

# Left empty by a script.
for words in 'compile|FILE|' 'compile|--target|x.ptx|--target|' 'compile|--output|x.ptx|-o|' 'ptx|--target|x.cu|--target|' \
    'matrix|FILE|' 'sass|--target|x.ptx|--target|' 'sass|--kernel|x.ptx|--kernel|' 'sass|--family|x.ptx|--family|' \
    'diff|A||x.ptx' 'diff|--target|a.ptx|b.ptx|--target|' 'tasks|NAME|' 'eval|--task|x.ptx|--task|' \
    'eval|--workload|x.ptx|--task|t|--workload|' 'eval|--on|x.ptx|--task|t|--on|' 'eval|--target|x.ptx|--task|t|--target|' \
    'eval|--rule|x.ptx|--task|t|--rule|' 'eval|--seed|x.ptx|--task|t|--seed|' 'eval|--output|x.ptx|--task|t|-o|'; do
    IFS='|' read -r -a parts <<< "$words|end"
    unset 'parts[-1]'
    expect 2 ptxwb "${parts[0]}" "${parts[@]:2}"
    said "${parts[1]}"
done

for seed in -1 abc 1.5 0x10 18446744073709551616 ' 3'; do
    expect 2 ptxwb eval "$good" "${task[@]}" --seed "$seed"
    said 18446744073709551615
done
expect 3 ptxwb eval "$good" "${task[@]}" --seed 18446744073709551615
for device in gpu: gpu:-1 gpu:x gpu:99999999999999999999; do
    expect 2 ptxwb eval "$good" --task gemm_n7168_k5120 --on "$device"
    said "$device"
done

# Names that look like options.
cp "$good" ./-dash.ptx
cp "$good" ./-output.ptx
for name in -dash.ptx -output.ptx; do
    for command in compile matrix sass; do
        expect 2 ptxwb "$command" "$name"
        said "./$name"
    done
    expect 2 ptxwb diff "$name" "$good"
    said "./$name"
done
expect 2 ptxwb compile -- "$good"
said 'stand before it'

# Options that make ptxas print and compile nothing.
for option in --help -h --version -V --list-arch; do
    for command in compile sass; do
        expect 2 ptxwb "$command" "$good" -- "$option"
        said "\"$option\""
    done
    expect 2 ptxwb eval "$good" "${task[@]}" -- "$option"
    said "\"$option\""
done

needs nvdisasm
expect 2 ptxwb sass "$good" --kernel no_such_kernel
said gemm_plain
expect 2 ptxwb sass "$good" --kernel no_such_kernel --json
document ptxwb.error.v1
expect 0 ptxwb sass "$good" --kernel 'gemm.*'
printed gemm_plain

needs nvcc
echo '__global__ void scale(float* x) { x[threadIdx.x] *= 2; }' > scale.cu
for option in --help -V --list-gpu-code; do
    expect 2 ptxwb compile scale.cu -- "$option"
    said "\"$option\""
done
expect 2 ptxwb compile scale.cu -- -Xptxas=--version
said 'no file'
said --version
expect 2 ptxwb compile scale.cu -- -Xptxas --version
said --version
expect 0 ptxwb ptx scale.cu --json -o scale.ptx
document ptxwb.ptx.v1
wants ON ok
[[ "$(field ptx)" == *.version* ]] || fail "no PTX in the document"
[ -s scale.ptx ] || fail "-o wrote nothing beside --json"
echo 'no kernel' > broken.cu
expect 1 ptxwb ptx broken.cu --json
document ptxwb.ptx.v1
wants '' ptx
[ -n "$(field ptx_reason)" ] || fail "no reason beside the missing PTX"
