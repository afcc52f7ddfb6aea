# Everything the project links, found once. Debian's packages for it: packaging/debian-packages.txt.
find_package(Threads REQUIRED)
find_package(nlohmann_json 3.10 REQUIRED)
find_package(CLI11 REQUIRED)
find_package(ZLIB REQUIRED)

find_path(ZSTD_INCLUDE_DIR zstd.h REQUIRED)
find_library(ZSTD_LIBRARY NAMES zstd libzstd.so.1 REQUIRED)
add_library(hs_zstd INTERFACE)
target_include_directories(hs_zstd SYSTEM INTERFACE ${ZSTD_INCLUDE_DIR})
target_link_libraries(hs_zstd INTERFACE ${ZSTD_LIBRARY})

find_path(PCRE2_INCLUDE_DIR pcre2.h REQUIRED)
find_library(PCRE2_LIBRARY NAMES pcre2-8 libpcre2-8.so.0 REQUIRED)
add_library(hs_pcre2 INTERFACE)
target_include_directories(hs_pcre2 SYSTEM INTERFACE ${PCRE2_INCLUDE_DIR})
target_compile_definitions(hs_pcre2 INTERFACE PCRE2_CODE_UNIT_WIDTH=8)
target_link_libraries(hs_pcre2 INTERFACE ${PCRE2_LIBRARY})

set(CMAKE_CUDA_STANDARD 17)  # CMake before 3.26 does not know that nvcc speaks C++20
set(HS_GIVEN_ARCHITECTURES "${CMAKE_CUDA_ARCHITECTURES}")  # torch overwrites it with its own
# pip's torch names a folder below its own; from there its configuration would take another libtorch of the system.
list(TRANSFORM CMAKE_PREFIX_PATH REPLACE "/share/cmake/?$" "")
find_package(Torch REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)  # without it torch's parallel_for, a template, is serial
add_library(hs_torch INTERFACE)
target_include_directories(hs_torch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
separate_arguments(HS_TORCH_FLAGS UNIX_COMMAND "${TORCH_CXX_FLAGS}")
target_compile_options(hs_torch INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${HS_TORCH_FLAGS}>)
# GCC 14 reports overruns in the vectors of torch's own custom functions.
target_compile_options(hs_torch INTERFACE "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-array-bounds;-Wno-stringop-overflow>")

set(HS_WITH_CUDA OFF)
if(NOT HS_CUDA STREQUAL "OFF")
    find_package(CUDAToolkit QUIET)
    if(CUDAToolkit_FOUND AND TORCH_CUDA_LIBRARIES)
        set(HS_WITH_CUDA ON)
    elseif(HS_CUDA STREQUAL "ON")
        message(FATAL_ERROR "HS_CUDA=ON needs the CUDA Toolkit and a libtorch built for CUDA; "
            "point CMAKE_PREFIX_PATH at the latter (see README, 'On a GPU').")
    endif()
endif()
if(TORCH_CUDA_LIBRARIES AND NOT HS_WITH_CUDA)
    set(TORCH_LIBRARIES torch_cpu_library c10)  # a program for processors needs nothing of a torch for CUDA
endif()
target_link_libraries(hs_torch INTERFACE ${TORCH_LIBRARIES} OpenMP::OpenMP_CXX)
if(HS_WITH_CUDA)
    enable_language(CUDA)
    # Which GPUs the kernels are compiled for: as given to torch, else to CMake, else this machine's. There is no code that a
    # driver could translate for others: it is as large as that for two of them, and the first start would take minutes.
    set(HS_CUDA_ARCHITECTURES "${HS_GIVEN_ARCHITECTURES}" CACHE STRING "GPUs the kernels are compiled for")
    string(REGEX MATCHALL "[0-9]+\\.[0-9]+[a-z]?" architectures "${TORCH_CUDA_ARCH_LIST} $ENV{TORCH_CUDA_ARCH_LIST}")
    if(architectures)
        list(TRANSFORM architectures REPLACE "\\." "")
        list(REMOVE_DUPLICATES architectures)
        list(TRANSFORM architectures APPEND "-real")
        set(HS_CUDA_ARCHITECTURES ${architectures} CACHE STRING "GPUs the kernels are compiled for" FORCE)
    elseif(NOT HS_CUDA_ARCHITECTURES)
        set(HS_CUDA_ARCHITECTURES native CACHE STRING "GPUs the kernels are compiled for" FORCE)
    endif()
    string(REGEX REPLACE "-gencode[ =]arch=[^ ]+" "" CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS}")
endif()

# What workers that train together talk through. Debian has Gloo's headers in libgloo-dev; wheels of torch come
# without them, and with NCCL's in a package beside their own. Only compiled, since a header may be of another version.
include(CheckCXXSourceCompiles)
find_path(HS_NCCL_INCLUDE_DIR nccl.h HINTS ${TORCH_INSTALL_PREFIX}/../nvidia/nccl/include)
function(hs_check_group name library class)
    # Not by naming the library: a trial cannot take over targets that need others, as a libtorch for CUDA does.
    get_target_property(definitions ${library} INTERFACE_COMPILE_DEFINITIONS)
    list(TRANSFORM definitions PREPEND -D)
    set(CMAKE_REQUIRED_DEFINITIONS ${definitions})
    set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
    set(CMAKE_CXX_STANDARD 20)
    set(CMAKE_REQUIRED_QUIET ON)
    set(CMAKE_REQUIRED_INCLUDES ${TORCH_INCLUDE_DIRS} ${ARGN})
    set(CMAKE_REQUIRED_FLAGS "${TORCH_CXX_FLAGS}")
    check_cxx_source_compiles("#include <torch/csrc/distributed/c10d/${class}.hpp>
        unsigned long size() { return sizeof(c10d::${class}); }" ${name})
endfunction()
hs_check_group(HS_WITH_GLOO torch_cpu ProcessGroupGloo)
set(HS_WITH_NCCL OFF)
if(HS_WITH_CUDA AND HS_NCCL_INCLUDE_DIR)
    unset(HS_WITH_NCCL)
    hs_check_group(HS_WITH_NCCL torch_cuda ProcessGroupNCCL ${HS_NCCL_INCLUDE_DIR} ${CUDAToolkit_INCLUDE_DIRS})
endif()
foreach(group GLOO NCCL)
    if(HS_WITH_${group})
        list(APPEND HS_GROUPS HS_WITH_${group})
    endif()
endforeach()
message(STATUS "HeadScope: CUDA ${HS_WITH_CUDA}, workers ${HS_GROUPS}, desktop ${HS_UI}, tests ${HS_TESTS}")

if(HS_UI)
    find_package(Qt6 6.4 REQUIRED COMPONENTS Core Gui Widgets PrintSupport)
    find_package(QCustomPlotQt6 REQUIRED)
    find_package(qpdf REQUIRED)
    add_library(hs_qpdf INTERFACE)
    target_compile_definitions(hs_qpdf INTERFACE POINTERHOLDER_TRANSITION=4)  # hides qpdf 11's deprecated API
    target_link_libraries(hs_qpdf INTERFACE qpdf::libqpdf)
endif()
if(HS_TESTS)
    find_package(Catch2 REQUIRED)
    if(HS_UI)
        find_package(Qt6 6.4 REQUIRED COMPONENTS Test)
    endif()
endif()
