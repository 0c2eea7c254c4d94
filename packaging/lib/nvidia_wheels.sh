# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# NVIDIA's programs that this machine lacks, from its Python wheels, in a private virtual environment below the user's
# cache. Nothing is put on PATH: the workbench looks there itself.

# shellcheck disable=SC2154 # steps.sh sets cache_dir
venv_dir="$cache_dir/venv"

# NAME|REQUIREMENT|VERSIONS (shell pattern)|MB to download. PyPI has no 13.0 wheel of the two disassemblers; those of
# 13.2 read what the 13.0 compilers write.
disassembler_wheels=(
    'nvidia-cuda-nvdisasm|>=13.0,<13.3|13.[0-2].*|5'
    'nvidia-cuda-cuobjdump|>=13.0,<13.3|13.[0-2].*|1'
)
compiler_wheels=(
    'nvidia-cuda-nvcc|==13.0.*|13.0.*|38'
    'nvidia-nvvm|==13.0.*|13.0.*|62'
    'nvidia-cuda-crt|==13.0.*|13.0.*|1'
    'nvidia-cuda-runtime|==13.0.*|13.0.*|3'
    'nvidia-cuda-cccl|==13.0.*|13.0.*|4'
)
# Wanted for their headers alone (the host contract's entry point, the graphs of the cuDNN baseline), so without what
# the wheels depend on.
header_wheels=(
    'apache-tvm-ffi|>=0.1|*|4'
    'nvidia-cudnn-frontend|>=1.32,<2|1.*|12'
)

# Prints the directory of a CUDA toolkit of 12.8 or newer (the first that knows sm_100a): ptxas and nvcc together.
find_toolkit() {
    local home release on_path
    on_path=$(command -v nvcc || true)
    for home in "${PTXWB_CUDA_HOME:-}" "${CUDA_HOME:-}" "${on_path%/bin/nvcc}" /usr/local/cuda /usr/local/cuda-*; do
        if [ -z "$home" ] || [ ! -x "$home/bin/nvcc" ] || [ ! -x "$home/bin/ptxas" ]; then continue; fi
        release=$("$home/bin/nvcc" --version 2> /dev/null | sed -n 's/.*release \([0-9]*\)\.\([0-9]*\).*/\1 \2/p')
        if [ -n "$release" ] && [ $((${release% *} * 100 + ${release#* })) -ge 1208 ]; then
            printf '%s\n' "$home"
            return 0
        fi
    done
    return 1
}

# Prints the wheels wanted here, in the form above.
wanted_wheels() {
    local toolkit wheel name
    if toolkit=$(find_toolkit); then
        for wheel in "${disassembler_wheels[@]}"; do
            name=${wheel%%|*}
            if [ ! -x "$toolkit/bin/${name##*-}" ]; then printf '%s\n' "$wheel"; fi
        done
    else
        printf '%s\n' "${compiler_wheels[@]}" "${disassembler_wheels[@]}"
    fi
    printf '%s\n' "${header_wheels[@]}"
}

has_wheel() {
    local name=${1//-/_} versions=$2
    compgen -G "$venv_dir/lib/python3*/site-packages/$name-$versions.dist-info" > /dev/null
}

# nvcc looks for the static runtime in lib64, the wheel has it in lib.
link_lib64() {
    local home
    for home in "$venv_dir"/lib/python3*/site-packages/nvidia/cu13; do
        if [ -d "$home/lib" ] && [ ! -e "$home/lib64" ]; then ln -s lib "$home/lib64"; fi
    done
}

make_venv() {
    local python=/usr/bin/python3
    if [ ! -x "$python" ]; then python=python3; fi
    "$python" -m venv --clear "$venv_dir"
}

install_nvidia_wheels() {
    local wheel name requirement versions megabytes total=0 missing=()
    while IFS='|' read -r name requirement versions megabytes; do
        if ! has_wheel "$name" "$versions"; then
            missing+=("$name$requirement")
            total=$((total + megabytes))
        fi
    done < <(wanted_wheels)
    if [ "${#missing[@]}" -eq 0 ]; then return 0; fi

    if wheel=$(find_toolkit); then
        heading "CUDA toolkit: $wheel"
    else
        heading "No CUDA toolkit (12.8 or newer) here: the compilers come from NVIDIA's wheels"
    fi
    heading "Going to install with pip: ${#missing[@]} wheels, about $total MB to download, into $venv_dir"
    note "${missing[*]}"
    if ! "$venv_dir/bin/python" -m pip --version > /dev/null 2>&1; then
        step "Making a private Python environment" "Is python3-venv installed? Is there room in $cache_dir?" make_venv
    fi
    step "Installing NVIDIA's wheels" "Check the network and the room in $cache_dir, then start again." \
        "$venv_dir/bin/python" -m pip install --disable-pip-version-check --no-deps "${missing[@]}"
    link_lib64
}
