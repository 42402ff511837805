# The target PoolStaticLLVM: LLVM and MLIR inside of what links it, for the tools
# and the Python module that are shipped. With POOL_STATIC_LLVM it takes the place
# of the shared libraries everywhere.
#
# All archives are named; the linker takes what is needed of them. Code is generated
# for POOL_STATIC_TARGETS alone, which more than halves the size.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

set(POOL_STATIC_TARGETS X86 AArch64)

file(GLOB archives ${LLVM_LIBRARY_DIR}/libMLIR*.a ${LLVM_LIBRARY_DIR}/libLLVM*.a)
# Its place is taken by lib/StaticLLVM/Plugins.cpp.
list(FILTER archives EXCLUDE REGEX "/libMLIRPluginsLib\\.a$")
if(NOT archives)
  message(FATAL_ERROR "POOL_STATIC_LLVM: no archives in ${LLVM_LIBRARY_DIR}")
endif()
find_library(POOL_STATIC_ZLIB NAMES libz.a REQUIRED)
find_library(POOL_STATIC_ZSTD NAMES libzstd.a REQUIRED)
# As a script of the linker's: a command line of 600 files is nothing to read.
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
# Equal functions become one, which saves a fifth (--icf; lld has it). libgcc stays
# shared, as the manylinux policies allow: Debian 12's static one needs glibc 2.35.
# The build-id tells one build's code on disk from another's.
target_link_options(PoolStaticLLVM INTERFACE
  -fuse-ld=lld
  LINKER:--as-needed,--gc-sections,--icf=all,--exclude-libs,ALL,--build-id,-s
  -static-libstdc++
)
if(POOL_INSTALL)
  # For the Python module, which is built with an installed package.
  install(TARGETS PoolStaticLLVM EXPORT PoolTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT Development
  )
  install(FILES ${script} DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT Development)
endif()
