# Makes the settings that a separate build needs before project(): by default the
# toolchain of scripts/install-toolchain.sh, and the version of this tree.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

if(NOT CMAKE_CXX_COMPILER AND NOT DEFINED ENV{CXX})
  find_program(POOL_CLANGXX clang++-22)
  if(POOL_CLANGXX)
    set(CMAKE_CXX_COMPILER ${POOL_CLANGXX})
  endif()
endif()
if(NOT CMAKE_C_COMPILER AND NOT DEFINED ENV{CC})
  find_program(POOL_CLANG clang-22)
  if(POOL_CLANG)
    set(CMAKE_C_COMPILER ${POOL_CLANG})
  endif()
endif()
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Type of the build" FORCE)
endif()
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/../CMakeLists.txt version
  REGEX "^project\\(Pool VERSION"
)
string(REGEX MATCH "[0-9.]+" version "${version}")
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(POOL_CCACHE ccache)
  if(POOL_CCACHE)
    set(CMAKE_C_COMPILER_LAUNCHER ${POOL_CCACHE})
    # ccache needs these settings for the libraries' precompiled header.
    set(CMAKE_CXX_COMPILER_LAUNCHER
      env CCACHE_SLOPPINESS=pch_defines,time_macros ${POOL_CCACHE}
    )
  endif()
endif()
if(EXISTS /usr/lib/llvm-22/bin/ld.lld)
  add_link_options($<$<CXX_COMPILER_ID:Clang>:-fuse-ld=lld>)
endif()
