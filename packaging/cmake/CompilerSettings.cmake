# How every target of the project is compiled.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# Debian's libtorch pulls in Qt 5 through OpenCV; it must not find Qt 6's inline functions here.
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # Precompiled headers are only cached when ccache may trust their timestamps.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
        CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE})
endif()

add_library(hs_settings INTERFACE)
target_include_directories(hs_settings INTERFACE ${CMAKE_SOURCE_DIR}/core)
target_compile_options(hs_settings INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wcast-align -Woverloaded-virtual -fpch-preprocess>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
    # GCC 12 and 13 report overlaps and overruns in std::string itself (GCC bugs 105651, 105329).
    target_compile_options(hs_settings INTERFACE -Wno-restrict -Wno-array-bounds
        -Wno-stringop-overread -Wno-stringop-overflow)
endif()
if(HS_WERROR)
    target_compile_options(hs_settings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()
if(HS_SANITIZE)
    target_compile_options(hs_settings INTERFACE -fsanitize=${HS_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(hs_settings INTERFACE -fsanitize=${HS_SANITIZE})
endif()
