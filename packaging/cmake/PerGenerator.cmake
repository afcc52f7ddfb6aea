# CPack runs this on what was staged, once for each kind of package.
set(staged ${CPACK_TEMPORARY_INSTALL_DIRECTORY})
if(CPACK_GENERATOR STREQUAL "TGZ")
    file(COPY ${CPACK_RESOURCE_FILE_LICENSE} DESTINATION ${staged})  # Debian provides its own
    file(REMOVE ${staged}/share/doc/headscope/changelog.Debian.gz)
endif()
