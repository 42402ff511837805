# The target PoolStaticLLVM links LLVM and MLIR statically, for the shipped tools and
# Python module. With POOL_STATIC_LLVM it replaces the shared libraries everywhere.
#
# The target names all archives but one, and the linker takes what it needs. Only the code
# generators of POOL_STATIC_TARGETS are linked, which more than halves the size.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

set(POOL_STATIC_TARGETS X86 AArch64)

file(GLOB archives ${LLVM_LIBRARY_DIR}/libMLIR*.a ${LLVM_LIBRARY_DIR}/libLLVM*.a)
# lib/StaticLLVM/Plugins.cpp replaces this archive.
list(FILTER archives EXCLUDE REGEX "/libMLIRPluginsLib\\.a$")
if(NOT archives)
  message(FATAL_ERROR "POOL_STATIC_LLVM: no archives in ${LLVM_LIBRARY_DIR}")
endif()
find_library(POOL_STATIC_ZLIB NAMES libz.a REQUIRED)
find_library(POOL_STATIC_ZSTD NAMES libzstd.a REQUIRED)
# A linker script keeps the hundreds of file names out of the command line.
list(JOIN archives "\n" archives)
set(script ${PROJECT_BINARY_DIR}/lib/LLVM.ld)
file(CONFIGURE OUTPUT ${script}
  CONTENT "GROUP(\n${archives}\n${POOL_STATIC_ZLIB}\n${POOL_STATIC_ZSTD}\n)\n"
)

set(absent ${LLVM_TARGETS_TO_BUILD})
list(REMOVE_ITEM absent ${POOL_STATIC_TARGETS})
list(TRANSFORM absent PREPEND "ABSENT(")
list(TRANSFORM absent APPEND ")")
list(JOIN absent "" absent)

set(sources ${PROJECT_SOURCE_DIR}/lib/StaticLLVM)
add_library(PoolStaticLLVM STATIC
  ${sources}/AbsentTargets.cpp
  ${sources}/Plugins.cpp
  ${sources}/Random.cpp
)
target_compile_definitions(PoolStaticLLVM PRIVATE "POOL_ABSENT_TARGETS=${absent}")
target_link_libraries(PoolStaticLLVM INTERFACE
  $<BUILD_INTERFACE:${script}>
  $<INSTALL_INTERFACE:$<INSTALL_PREFIX>/${CMAKE_INSTALL_LIBDIR}/LLVM.ld>
  ${CMAKE_DL_LIBS} m
)
# --icf (in lld) merges equal functions, which saves a fifth of the size. libgcc stays
# shared, as the manylinux policies allow, because the static libgcc of Debian 12 needs
# glibc 2.35. The build-id keeps the cached code of different builds apart.
target_link_options(PoolStaticLLVM INTERFACE
  -fuse-ld=lld
  LINKER:--as-needed,--gc-sections,--icf=all,--exclude-libs,ALL,--build-id,-s
  -static-libstdc++
)
if(POOL_INSTALL)
  # The Python module links PoolStaticLLVM too, and is built against an installed package.
  install(TARGETS PoolStaticLLVM EXPORT PoolTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT Development
  )
  install(FILES ${script} DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT Development)
endif()
