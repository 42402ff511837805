#!/bin/sh
# Installs missing packages for the build and the tests by apt-get.
#
# The script looks for the contents of a package (a program, a header, a CMake package), so
# these may also come from elsewhere. If nothing is missing, it prints nothing and does not
# use the network. `--dev` adds the needs of `make lint`, `make job`, `make test-all` and the
# sanitizers. `--check` only reports what is missing.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

set -eu

dev=0
check=0
for argument; do
  case $argument in
  --dev) dev=1 ;;
  --check) check=1 ;;
  *)
    echo "usage: $0 [--dev] [--check]" >&2
    exit 2
    ;;
  esac
done

llvm=/usr/lib/llvm-22
missing=

# need PACKAGE COMMAND...: notes PACKAGE as missing unless COMMAND succeeds.
need() {
  package=$1
  shift
  if ! "$@" >/dev/null 2>&1; then
    case " $missing " in
    *" $package "*) ;;
    *) missing="$missing $package" ;;
    esac
  fi
}

has() { command -v "$1"; }
# True if any of the paths, possibly from a glob, exists.
exists() {
  for path; do
    [ -e "$path" ] && return 0
  done
  return 1
}

need libmlir-22-dev exists $llvm/lib/cmake/mlir/MLIRConfig.cmake
need mlir-22-tools exists $llvm/bin/mlir-tblgen
need mlir-22-tools exists $llvm/bin/mlir-opt
need llvm-22 exists $llvm/bin/llvm-tblgen
need llvm-22-dev exists $llvm/lib/cmake/llvm/LLVMConfig.cmake
need llvm-22-tools exists $llvm/bin/FileCheck
need llvm-22-tools exists $llvm/bin/lit
need clang-22 has clang++-22
need lld-22 exists $llvm/bin/ld.lld
need libomp-22-dev exists $llvm/lib/libomp.so
# The tests run code for aarch64. These packages are 25 MB to download. gcc's cross compiler
# instead of clang would be 30 MB more.
need qemu-user has qemu-aarch64
need libc6-dev-arm64-cross exists /usr/aarch64-linux-gnu/lib/crt1.o
need libgcc-12-dev-arm64-cross exists /usr/lib/gcc-cross/aarch64-linux-gnu/*/libgcc.a
# The tests run kernels for Vulkan on the CPU. These packages, with the LLVM of Mesa's driver, are
# 40 MB to download.
need mesa-vulkan-drivers exists /usr/share/vulkan/icd.d/lvp_icd*.json
need libvulkan1 exists /usr/lib/*/libvulkan.so.1
need spirv-tools has spirv-val
# Needed by test/MPI and benchmarks/run.py mpi
need openmpi-bin has mpirun
need libopenmpi-dev has mpicc
# If there are no C++ headers, install clang-22: it brings the system's newest libstdc++.
need clang-22 exists /usr/include/c++/*/vector
need libc6-dev exists /usr/include/stdio.h
need libzstd-dev exists /usr/include/zstd.h
need zlib1g-dev exists /usr/include/zlib.h
need libpugixml-dev exists /usr/include/pugixml.hpp
need libxml2-dev exists /usr/include/libxml2/libxml/parser.h
need libgtest-dev exists /usr/lib/*/cmake/GTest/GTestConfig.cmake
need libbenchmark-dev exists /usr/lib/*/cmake/benchmark/benchmarkConfig.cmake
need cmake has cmake
need ninja-build has ninja
need pkgconf has pkg-config
need ccache has ccache
need make has make
need git has git
need util-linux has flock
need python3 has python3
# The headers must be of the Python that the command python3 runs.
need python3-dev python3 -c 'import os, sysconfig
os.stat(os.path.join(sysconfig.get_paths()["include"], "Python.h"))'
need python3-venv python3 -c 'import ensurepip, venv'
need ca-certificates exists /etc/ssl/certs/ca-certificates.crt
# `make lint-fast` uses clang-format and shellcheck, and `make check` begins with it.
need clang-format-22 has clang-format-22
need shellcheck has shellcheck
if [ $dev = 1 ]; then
  need clang-tidy-22 has clang-tidy-22
  need valgrind has valgrind
  # Needed by test/Docs/browse-site.py
  need chromium has chromium
  # Needed by scripts/bare-root.sh
  need debootstrap has debootstrap
  need libclang-rt-22-dev exists $llvm/lib/clang/22/lib/*/libclang_rt.asan*.a
fi

[ -n "$missing" ] || exit 0

explain() {
  {
    echo "pool-mlir: $1"
    echo "  On Debian 12 and 13 these packages are needed and were not found:"
    echo "   $missing"
    echo "  Install them with"
    echo "    apt-get update && apt-get install --no-install-recommends$missing"
    echo "  from the archives bookworm and bookworm-security, or trixie and trixie-security."
  } >&2
  exit 1
}

[ $check = 0 ] || explain "the toolchain is not complete."
has apt-get >/dev/null || explain "there is no apt-get to install with."

run=
if [ "$(id -u)" != 0 ]; then
  # -n: where nobody can answer, a question for a password would hang.
  if [ -t 0 ]; then
    sudo=sudo
  else
    sudo='sudo -n'
  fi
  if ! has sudo >/dev/null || ! $sudo true 2>/dev/null; then
    explain "not allowed to install packages (neither root nor sudo)."
  fi
  run=$sudo
fi

echo "pool-mlir: installing, downloads included:$missing"
begin=$(date +%s)
$run apt-get update -qq ||
  echo "pool-mlir: apt-get update failed, trying with the lists at hand" >&2
# env is needed because sudo drops DEBIAN_FRONTEND. The list is split into words on
# purpose.
# shellcheck disable=SC2086
$run env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o Dpkg::Use-Pty=0 \
  --no-install-recommends $missing </dev/null ||
  explain "apt-get could not install the packages."
echo "pool-mlir: the packages took $(($(date +%s) - begin)) s"

# Check again: if a package lacks its expected content, the error comes here and not
# during the build.
if [ $dev = 1 ]; then
  exec "$0" --dev --check
fi
exec "$0" --check
