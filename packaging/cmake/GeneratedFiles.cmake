# Installed files that are made at build time: the manual page and shell completion, which the program
# writes about itself, and compressed changelogs.
find_program(HS_GZIP gzip REQUIRED)
mark_as_advanced(HS_GZIP)
add_custom_target(package_files ALL)

# hs_generate(NAME made-file COMMAND words... DEPENDS files... [DESTINATION folder]): a command's output.
function(hs_generate)
    cmake_parse_arguments(ARG "" "NAME;DESTINATION" "COMMAND;DEPENDS" ${ARGN})
    set(made ${CMAKE_CURRENT_BINARY_DIR}/${ARG_NAME})
    add_custom_command(OUTPUT ${made} COMMAND ${ARG_COMMAND} > ${made} DEPENDS ${ARG_DEPENDS} VERBATIM)
    string(MAKE_C_IDENTIFIER package_${ARG_NAME} target)
    add_custom_target(${target} DEPENDS ${made})
    add_dependencies(package_files ${target})
    if(ARG_DESTINATION)
        install(FILES ${made} DESTINATION ${ARG_DESTINATION})
    endif()
endfunction()

hs_generate(NAME headscope DESTINATION ${HS_SHARE}/bash-completion/completions
    COMMAND headscope completion bash DEPENDS headscope)
hs_generate(NAME _headscope DESTINATION ${HS_SHARE}/zsh/vendor-completions
    COMMAND headscope completion zsh DEPENDS headscope)
hs_generate(NAME headscope.fish DESTINATION ${HS_SHARE}/fish/vendor_completions.d
    COMMAND headscope completion fish DEPENDS headscope)
hs_generate(NAME headscope.1 COMMAND headscope manual DEPENDS headscope)
hs_generate(NAME headscope.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
    COMMAND ${HS_GZIP} -9nc headscope.1 DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/headscope.1)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/headscope-serve.1 ".so man1/headscope.1\n")  # it is headscope serve
hs_generate(NAME headscope-serve.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
    COMMAND ${HS_GZIP} -9nc headscope-serve.1 DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/headscope-serve.1)
hs_generate(NAME changelog.gz DESTINATION ${HS_DOC}
    COMMAND ${HS_GZIP} -9nc ${CMAKE_SOURCE_DIR}/CHANGELOG.md DEPENDS ${CMAKE_SOURCE_DIR}/CHANGELOG.md)
