# SPDX-License-Identifier: MIT
# How everything is compiled.  weft_flags carries it to every target.

option(WEFT_WERROR "Treat warnings as errors" OFF)
option(WEFT_TARGET_CLONES "Compile hot loops also for AVX2 and AVX-512, chosen at start" ON)
option(WEFT_FUZZ "Build the fuzz targets (clang)" OFF)
set(WEFT_SANITIZE "" CACHE STRING "Sanitizers for everything: address,undefined or thread")
option(WEFT_COVERAGE "Count executed branches (gcc)" OFF)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug, RelWithDebInfo or MinSizeRel" FORCE)
endif()

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Every compiler, optimisation level and vector clone must give the same bits:
# no fused operations, no reordering, no code for this machine only.
foreach(flag -ffast-math -Ofast -funsafe-math-optimizations -march=native)
    if(" ${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_RELEASE} " MATCHES " ${flag} ")
        message(FATAL_ERROR "${flag} would change results: weft promises the same bits everywhere")
    endif()
endforeach()

add_library(weft_flags INTERFACE)
target_compile_options(weft_flags INTERFACE
    -ffp-contract=off -fno-math-errno
    -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes
    $<$<BOOL:${WEFT_WERROR}>:-Werror>)

# target_clones needs the processor, the compiler and the linker to play along.
# ThreadSanitizer does not: the resolver runs before its runtime and crashes.
# Coverage does not either: clones that this processor does not choose would
# count as branches not taken.
include(CheckCSourceCompiles)
check_c_source_compiles("
    __attribute__((target_clones(\"avx512f\", \"avx2\", \"default\")))
    double twice(double x);
    __attribute__((target_clones(\"avx512f\", \"avx2\", \"default\")))
    double twice(double x) { return 2 * x; }
    int main(void) { return (int)twice(0.0); }" WEFT_HAVE_TARGET_CLONES)
if(WEFT_TARGET_CLONES AND WEFT_HAVE_TARGET_CLONES AND NOT WEFT_COVERAGE AND NOT WEFT_SANITIZE MATCHES "thread")
    target_compile_definitions(weft_flags INTERFACE WEFT_CLONES=1)
else()
    target_compile_definitions(weft_flags INTERFACE WEFT_CLONES=0)
endif()

if(WEFT_SANITIZE)
    add_compile_options(-fsanitize=${WEFT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${WEFT_SANITIZE} -fno-sanitize-recover=all)
endif()
if(WEFT_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
    add_link_options(-fsanitize=fuzzer-no-link)
endif()
# The library alone counts its branches: nothing else is asked for them.
add_library(weft_counted INTERFACE)
if(WEFT_COVERAGE)
    # Not atomic, which takes four times as long in inner loops: where threads lose a count a thousand are left.
    # A condition of two parts stays two branches when it is optimised.
    target_compile_options(weft_counted INTERFACE --coverage "SHELL:--param logical-op-non-short-circuit=0")
    # These checks are branches of their own, which no sound program takes; clang-ubsan has them.
    if(WEFT_SANITIZE MATCHES "undefined")
        target_compile_options(weft_counted INTERFACE
            -fno-sanitize=shift,integer-divide-by-zero,vla-bound,nonnull-attribute,bool)
    endif()
    add_link_options(--coverage)
    # A test starts the command three thousand times.  What the checks describe themselves with is four megabytes,
    # which need not be relocated at each start, nor the runtime be looked up in.
    add_link_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
    if(WEFT_SANITIZE MATCHES "address")
        add_link_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-static-libasan$<SEMICOLON>-static-libubsan>)
    endif()
endif()
