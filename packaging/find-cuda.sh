# Finds what a build for NVIDIA GPUs takes: the CUDA Toolkit and a libtorch made for CUDA. Sourced by ./dev.
# find_cuda sets libtorch (a prefix for CMake), CUDACXX and TORCH_CUDA_ARCH_LIST, or says what is missing.

torch_cache=${XDG_CACHE_HOME:-$HOME/.cache}/headscope
first_driver_of_cuda_13=580

# torch_of PYTHON: "VERSION CUDA PREFIX" of its torch; fails where there is none for CUDA.
torch_of() {
    "$1" - 2>/dev/null <<'PYTHON'
import torch
assert torch.version.cuda
print(torch.__version__, torch.version.cuda, torch.utils.cmake_prefix_path)
PYTHON
}

nvcc_of() {
    "$1" --version 2>/dev/null | sed -n 's/.*release \([0-9]*\.[0-9]*\).*/\1/p'
}

# The CUDA Toolkit's compiler: as given, in PATH, or where the vendor's installer puts it.
find_nvcc() {
    local each
    for each in "${CUDACXX:-}" "$(command -v nvcc || true)" /usr/local/cuda/bin/nvcc; do
        if [[ -x $each && -n $(nvcc_of "$each") ]]; then
            export CUDACXX=$each
            return 0
        fi
    done
    return 1
}

# CMake looks for libraries without a version in their names, which pip's packages do not have.
# view_toolkit SITE_PACKAGES: makes a toolkit of links beside the environment and points the build at it.
view_toolkit() {
    local packages view=$torch_cache/toolkit library name
    packages=$(printf '%s\n' "$1"/nvidia/cu[0-9]* | sort -V | tail -1)
    [[ -x $packages/bin/nvcc ]] || return 1
    rm -rf "$view"
    mkdir -p "$view/lib64"
    ln -s "$packages/bin" "$packages/include" "$packages/nvvm" "$view"
    for library in "$packages"/lib/lib*.so.*; do
        name=${library##*/}
        ln -sf "$library" "$view/lib64/$name"
        ln -sf "$library" "$view/lib64/${name%%.so*}.so"
    done
    export CUDACXX=$view/bin/nvcc
    cuda_options=(-DCUDAToolkit_ROOT="$view" -DCUDA_TOOLKIT_ROOT_DIR="$view")
}

# A virtual environment of HeadScope's own: 3 GB to download, 6 GB on disk. CUDA 13's compiler comes with it.
make_private_torch() {
    local environment=$torch_cache/torch driver free answer=
    local python=$environment/bin/python
    if ! driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | head -1); then
        say "There is no NVIDIA driver here, so no libtorch is downloaded for it. Give one for CUDA by"
        say "LIBTORCH=FOLDER, or run ./dev run, which builds for the processor."
        return 1
    fi
    if ((${driver%%.*} < first_driver_of_cuda_13)); then
        say "The driver $driver is too old for the libtorch that pip has for CUDA 13, which takes $first_driver_of_cuda_13; update it,"
        say "or give a libtorch for CUDA 12 by LIBTORCH=FOLDER and its compiler by CUDACXX=FILE."
        return 1
    fi
    if ! torch_of "$python" >/dev/null; then
        mkdir -p "$torch_cache"
        free=$(df --output=avail -BG "$torch_cache" | tail -1 | tr -dc 0-9)
        if ((free < 12)); then
            say "$torch_cache has $free GB left, and a libtorch for CUDA takes 12 while it is unpacked; free some,"
            say "or set XDG_CACHE_HOME to a folder with more room."
            return 1
        fi
        say "No libtorch for CUDA was found. One can be downloaded by pip into $environment:"
        say "3 GB, 6 GB on disk, used by HeadScope alone."
        if [[ ${assume_yes:-no} != yes ]]; then
            [[ ! -t 0 ]] || read -r -p "Download it? [y/N] " answer
            if [[ $answer != [yY]* ]]; then
                say "Nothing was downloaded. Add --yes to agree, or give a libtorch by LIBTORCH=FOLDER."
                return 1
            fi
        fi
        require_packages python3-venv
        python3 -m venv "$environment"
        "$python" -m pip install --quiet --upgrade pip
        "$python" -m pip install torch numpy "cuda-toolkit[nvcc,crt,nvvm,cccl]"
    fi
    read -r version cuda libtorch < <(torch_of "$python")
    find_nvcc || view_toolkit "${libtorch%/torch/share/cmake}"
}

find_cuda() {
    local version= cuda=
    cuda_options=()
    if [[ -n ${LIBTORCH:-} ]]; then
        libtorch=$LIBTORCH
        if [[ ! -e $libtorch/lib/libtorch_cuda.so && ! -e $libtorch/../../lib/libtorch_cuda.so ]]; then
            say "$libtorch, which LIBTORCH names, has no lib/libtorch_cuda.so; give the folder of a libtorch for CUDA."
            return 1
        fi
        version=given
    elif ! read -r version cuda libtorch < <(torch_of python3); then
        make_private_torch || return 1
    fi
    if ! find_nvcc; then
        say "The CUDA Toolkit's compiler, nvcc, is neither in PATH nor in /usr/local/cuda/bin; install the toolkit"
        say "${cuda:+for CUDA $cuda }or name the compiler by CUDACXX=FILE."
        return 1
    fi
    local nvcc_version
    nvcc_version=$(nvcc_of "$CUDACXX")
    if [[ -n $cuda && ${cuda%%.*} != "${nvcc_version%%.*}" ]]; then
        say "libtorch $version is made for CUDA $cuda, but $CUDACXX is of CUDA $nvcc_version; install the toolkit"
        say "of the same major version and name its compiler by CUDACXX=FILE."
        return 1
    fi
    if [[ -z ${TORCH_CUDA_ARCH_LIST:-} ]]; then
        TORCH_CUDA_ARCH_LIST=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null |
            sort -u | paste -sd ';' || true)
    fi
    if [[ -z $TORCH_CUDA_ARCH_LIST ]]; then
        say "There is no GPU here to build for; say which by TORCH_CUDA_ARCH_LIST, such as 8.0 for an A100,"
        say "8.6 for an RTX 30, 8.9 for an RTX 40 or L40, 9.0 for an H100 or H200."
        return 1
    fi
    export TORCH_CUDA_ARCH_LIST
    cuda_options+=(-DCMAKE_PREFIX_PATH="$libtorch")
    say "Building for GPUs of compute capability $TORCH_CUDA_ARCH_LIST with libtorch $version${cuda:+ for CUDA $cuda}"
    say "in $libtorch and $CUDACXX ($nvcc_version)."
}
