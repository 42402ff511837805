# Decides if the Python module is built, and for which interpreter: the one in the
# environment of the tests, whose packages scripts/setup-python.sh installs.
#
# AUTO makes that environment and builds the module if tests are built without sanitizers,
# because a Python without sanitizers cannot load a sanitized module. If the environment
# is impossible (no network, no headers of Python), AUTO leaves out the module.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

set(POOL_VENV ${PROJECT_SOURCE_DIR}/build/venv CACHE PATH
  "The Python environment of the tests, made by scripts/setup-python.sh"
)

function(pool_find_python result)
  set(${result} "" PARENT_SCOPE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/test/requirements.txt
  )
  execute_process(
    COMMAND ${PROJECT_SOURCE_DIR}/scripts/setup-python.sh ${POOL_VENV}
    RESULT_VARIABLE failed
  )
  if(failed)
    message(STATUS "No Python module: no environment in ${POOL_VENV}")
    return()
  endif()
  execute_process(
    COMMAND ${POOL_VENV}/bin/python -c [[
import os, sys, sysconfig
header = os.path.join(sysconfig.get_paths()["include"], "Python.h")
sys.exit(0 if os.path.exists(header) else "no " + header)
]]
    RESULT_VARIABLE failed ERROR_VARIABLE reason
    ERROR_STRIP_TRAILING_WHITESPACE
  )
  if(failed)
    message(STATUS "No Python module: ${reason}")
    return()
  endif()
  set(${result} ${POOL_VENV}/bin/python PARENT_SCOPE)
endfunction()

set(POOL_PYTHON "")
if(POOL_ENABLE_PYTHON STREQUAL "AUTO")
  if(POOL_BUILD_TESTS AND NOT POOL_SANITIZE)
    pool_find_python(POOL_PYTHON)
  endif()
elseif(POOL_ENABLE_PYTHON)
  pool_find_python(POOL_PYTHON)
  if(NOT POOL_PYTHON)
    message(FATAL_ERROR "POOL_ENABLE_PYTHON needs a Python with nanobind")
  endif()
endif()
if(POOL_PYTHON)
  add_subdirectory(python)
endif()
