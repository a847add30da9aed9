# SPDX-License-Identifier: MIT
# What weft stands on.  Each is looked for once; what is missing is named with
# the Debian package that has it.

function(weft_require variable what package)
    if(NOT ${variable})
        message(FATAL_ERROR "${what} was not found: install ${package}")
    endif()
endfunction()

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

find_path(WEFT_LAPACKE_INCLUDE lapacke.h)
weft_require(WEFT_LAPACKE_INCLUDE "lapacke.h" liblapacke-dev)
find_library(WEFT_LAPACKE_LIBRARY lapacke)
weft_require(WEFT_LAPACKE_LIBRARY "liblapacke" liblapacke-dev)
find_library(WEFT_OPENBLAS_LIBRARY openblas)
weft_require(WEFT_OPENBLAS_LIBRARY "libopenblas" libopenblas-dev)
find_path(WEFT_CBLAS_INCLUDE cblas.h PATH_SUFFIXES openblas openblas-pthread)
weft_require(WEFT_CBLAS_INCLUDE "cblas.h" libopenblas-dev)
find_path(WEFT_RANDOM123_INCLUDE Random123/philox.h)
weft_require(WEFT_RANDOM123_INCLUDE "Random123/philox.h" librandom123-dev)

# Its Core and Cholesky modules alone (LGPL) are called.
find_path(WEFT_CHOLMOD_INCLUDE cholmod.h PATH_SUFFIXES suitesparse)
weft_require(WEFT_CHOLMOD_INCLUDE "cholmod.h" libsuitesparse-dev)
find_library(WEFT_CHOLMOD_LIBRARY cholmod)
weft_require(WEFT_CHOLMOD_LIBRARY "libcholmod" libsuitesparse-dev)


find_path(WEFT_ZLIB_INCLUDE zlib.h)
weft_require(WEFT_ZLIB_INCLUDE "zlib.h" zlib1g-dev)
find_library(WEFT_ZLIB_LIBRARY z)
weft_require(WEFT_ZLIB_LIBRARY "libz" zlib1g-dev)

find_path(WEFT_XXHASH_INCLUDE xxhash.h)
weft_require(WEFT_XXHASH_INCLUDE "xxhash.h" libxxhash-dev)

# Headers of the numerical libraries; SYSTEM, for their warnings are not ours.
add_library(weft_numerics INTERFACE)
target_include_directories(weft_numerics SYSTEM INTERFACE
    ${WEFT_LAPACKE_INCLUDE} ${WEFT_CBLAS_INCLUDE} ${WEFT_RANDOM123_INCLUDE} ${WEFT_XXHASH_INCLUDE}
    ${WEFT_CHOLMOD_INCLUDE})

# What a program that links weft has to link too: by the place where it was
# found in this build, by its name in the installed package.
set(WEFT_LINK_LIBRARIES
    "$<BUILD_INTERFACE:${WEFT_LAPACKE_LIBRARY}>" "$<INSTALL_INTERFACE:lapacke>"
    "$<BUILD_INTERFACE:${WEFT_OPENBLAS_LIBRARY}>" "$<INSTALL_INTERFACE:openblas>"
    "$<BUILD_INTERFACE:${WEFT_CHOLMOD_LIBRARY}>" "$<INSTALL_INTERFACE:cholmod>"
    "$<BUILD_INTERFACE:${WEFT_ZLIB_LIBRARY}>" "$<INSTALL_INTERFACE:z>"
    m Threads::Threads)
target_link_libraries(weft_numerics INTERFACE ${WEFT_LAPACKE_LIBRARY} ${WEFT_OPENBLAS_LIBRARY})

find_path(WEFT_JANSSON_INCLUDE jansson.h)
weft_require(WEFT_JANSSON_INCLUDE "jansson.h" libjansson-dev)
find_library(WEFT_JANSSON_LIBRARY jansson)
weft_require(WEFT_JANSSON_LIBRARY "libjansson" libjansson-dev)
add_library(weft_json INTERFACE)
target_include_directories(weft_json SYSTEM INTERFACE ${WEFT_JANSSON_INCLUDE})
target_link_libraries(weft_json INTERFACE ${WEFT_JANSSON_LIBRARY})

# Pictures, for programs alone.
find_path(WEFT_CAIRO_INCLUDE cairo.h PATH_SUFFIXES cairo)
weft_require(WEFT_CAIRO_INCLUDE "cairo.h" libcairo2-dev)
find_library(WEFT_CAIRO_LIBRARY cairo)
weft_require(WEFT_CAIRO_LIBRARY "libcairo" libcairo2-dev)
find_path(WEFT_FONTCONFIG_INCLUDE fontconfig/fontconfig.h)
weft_require(WEFT_FONTCONFIG_INCLUDE "fontconfig/fontconfig.h" libfontconfig-dev)
find_library(WEFT_FONTCONFIG_LIBRARY fontconfig)
weft_require(WEFT_FONTCONFIG_LIBRARY "libfontconfig" libfontconfig-dev)
add_library(weft_cairo INTERFACE)
target_include_directories(weft_cairo SYSTEM INTERFACE ${WEFT_CAIRO_INCLUDE} ${WEFT_FONTCONFIG_INCLUDE})
target_link_libraries(weft_cairo INTERFACE ${WEFT_CAIRO_LIBRARY} ${WEFT_FONTCONFIG_LIBRARY})
