# The .deb. dpkg-shlibdeps finds linked libraries; what is only looked up at run time is named here.
list(PREPEND CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# With the reference BLAS, libtorch runs at a thirtieth of its speed. The SVG plugin draws the icon.
set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "libopenblas0-openmp | libopenblas0-pthread, fonts-dejavu-core, libqt6svg6")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fonts-inter, qt6-wayland")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "fonts-noto-core, fonts-noto-cjk")
set(CPACK_PACKAGE_DESCRIPTION
    "Every attention head is a small picture of which earlier tokens each token
looks at, for all layers at once. Two models stand side by side; a click on a
head switches it off and draws everything after it again. Heads are ranked,
circuits found and figures exported for papers.

It runs models of the GPT-2, OLMo, Llama, Mistral, Qwen and Pythia families
from the disk, in a window or from the command line. A small pair of models
to start with is included.")

# The libraries are those of one release of Debian, or of a system like it, so each release gets a package
# version of its own, lower than the next one's.
cmake_host_system_information(RESULT HS_SYSTEM QUERY DISTRIB_INFO)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1~${HS_SYSTEM_ID}${HS_SYSTEM_VERSION_ID})
set(HS_DEBIAN_VERSION ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C date --utc --rfc-email --date ${HS_RELEASE_DATE}
    OUTPUT_VARIABLE HS_DEBIAN_DATE OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
configure_file(debian/changelog.in changelog.Debian @ONLY)
hs_generate(NAME changelog.Debian.gz DESTINATION ${HS_DOC}
    COMMAND ${HS_GZIP} -9nc ${CMAKE_CURRENT_BINARY_DIR}/changelog.Debian
    DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/changelog.Debian)
