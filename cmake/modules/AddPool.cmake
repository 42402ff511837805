# Finds MLIR and declares the project's libraries, tools and unit tests.
#
# These wrappers exist beside upstream's add_mlir_library, because that function installs
# into MLIR's own export set. Everything links the shared libMLIR and libLLVM: a static
# copy beside them would duplicate globals and type ids. The exception is a build with
# POOL_STATIC_LLVM, which links no shared MLIR or LLVM.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

find_package(MLIR 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
set(LLVM_RUNTIME_OUTPUT_INTDIR ${PROJECT_BINARY_DIR}/bin)
set(LLVM_LIBRARY_OUTPUT_INTDIR ${PROJECT_BINARY_DIR}/lib)
include(TableGen)
include(AddLLVM)
include(AddMLIR)
include(HandleLLVMOptions)
include(GNUInstallDirs)

separate_arguments(POOL_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${POOL_LLVM_DEFINITIONS})
# The layout of Pass::Statistic depends on NDEBUG. The packaged libraries of MLIR define
# NDEBUG, so without NDEBUG here the two layouts would differ.
add_compile_definitions(NDEBUG)
# With -Werror=switch, a new enumerant does not compile until every switch without a
# default handles it.
add_compile_options(-Wall -Wextra -Wno-unused-parameter -Werror=switch
  $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>
)
if(POOL_SANITIZE)
  # Name the flags here: outside LLVM's tree, LLVM_USE_SANITIZER enables only the address
  # sanitizer.
  add_compile_options(-fsanitize=address,undefined
    -fno-sanitize-recover=all -fno-omit-frame-pointer
  )
  add_link_options(-fsanitize=address,undefined)
endif()
# LLVM's options set -fPIC for all code. For executables, CMake would add -fPIE after
# -fPIC, and executables could then not use the libraries' precompiled headers.
set(CMAKE_POSITION_INDEPENDENT_CODE OFF)
include(PoolPrecompiled)
if(POOL_STATIC_LLVM)
  include(PoolStaticLLVM)
  set(POOL_LLVM_LIBS PoolStaticLLVM)
  set(POOL_LLVM_RPATH "")
else()
  set(POOL_LLVM_LIBS MLIR LLVM)
  set(POOL_LLVM_RPATH ${LLVM_LIBRARY_DIR})
endif()

# add_pool_library(name sources... DEPENDS tablegen-targets LINK_LIBS libs)
# Adds a static library, exported as Pool::<name>.
function(add_pool_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  add_library(Pool::${name} ALIAS ${name})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  # Consumers must define NDEBUG too, or their layout of Pass::Statistic would differ.
  target_compile_definitions(${name} INTERFACE NDEBUG)
  target_include_directories(${name} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
  )
  target_include_directories(${name} SYSTEM INTERFACE
    "$<BUILD_INTERFACE:${LLVM_INCLUDE_DIRS};${MLIR_INCLUDE_DIRS}>"
  )
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS} ${POOL_LLVM_LIBS})
  target_precompile_headers(${name} REUSE_FROM PoolPrecompiled)
  set_property(GLOBAL APPEND PROPERTY POOL_LIBS ${name})
  if(POOL_INSTALL)
    install(TARGETS ${name} EXPORT PoolTargets
      ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT Development
    )
  endif()
endfunction()

# add_pool_tool(name sources... LINK_LIBS libs)
# Adds an executable in bin/. check-pool builds it first, and POOL_INSTALL installs it.
function(add_pool_tool name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} ${POOL_LLVM_LIBS})
  target_precompile_headers(${name} REUSE_FROM PoolPrecompiled)
  set_target_properties(${name} PROPERTIES INSTALL_RPATH "${POOL_LLVM_RPATH}")
  set_property(GLOBAL APPEND PROPERTY POOL_TOOLS ${name})
  if(POOL_INSTALL)
    install(TARGETS ${name}
      RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT Tools
    )
  endif()
endfunction()

# add_pool_unittest(name sources... LINK_LIBS libs)
# Adds a GoogleTest executable. Its name must end in "Tests", so that lit discovers it.
function(add_pool_unittest name)
  if(NOT name MATCHES "Tests$")
    message(FATAL_ERROR "unit test ${name}: lit finds names in *Tests alone")
  endif()
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE
    ${ARG_LINK_LIBS} GTest::gtest GTest::gtest_main ${POOL_LLVM_LIBS}
  )
  target_precompile_headers(${name} REUSE_FROM PoolPrecompiled)
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}
  )
  set_property(GLOBAL APPEND PROPERTY POOL_UNITTESTS ${name})
endfunction()
