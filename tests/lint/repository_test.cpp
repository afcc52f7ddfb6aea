#include "lint/include_graph.h"
#include "lint/type_names.h"

#include "support/catch.h"

#include <algorithm>
#include <cstdio>

using namespace hs::lint;

namespace {

const std::vector<SourceFile>& repository()
{
    static const std::vector<SourceFile> files = readSources(HS_SOURCE_DIR);
    return files;
}

Architecture architecture()
{
    const auto page = std::ranges::find(repository(), "ARCHITECTURE.md", &SourceFile::path);
    REQUIRE(page != repository().end());
    return readArchitecture(*page);
}

void complain(const Findings& findings)
{
    for (const std::string& finding : findings)
        FAIL_CHECK(finding);
}

}  // namespace

TEST_CASE("the repository keeps its own rules")
{
    REQUIRE(repository().size() > 20);
    int packageLists = 0;
    for (const SourceFile& file : repository()) {
        for (const auto& check : {checkLength, checkMachinePaths, checkTestNames})
            complain(check(file));
        if (file.path.starts_with("packaging/debian-packages")) {
            ++packageLists;
            complain(checkPackageList(file));
        }
    }
    CHECK(packageLists == 3);
}

TEST_CASE("folders are as ARCHITECTURE.md says and include what it allows")
{
    const Architecture rules = architecture();
    complain(rules.problems);
    complain(checkFolders(repository(), rules));
    complain(checkIncludes(readIncludes(repository()), rules));
}

TEST_CASE("folders do not include each other in a circle")
{
    complain(checkCycles(folderGraph(readIncludes(repository()))));
}

TEST_CASE("no type is defined twice in one namespace")
{
    complain(checkTypeNames(repository()));
}

TEST_CASE("prints the folders in layers", "[.graph]")
{
    const std::string layers = printedLayers(folderGraph(readIncludes(repository())));
    std::fputs(layers.c_str(), stdout);
    CHECK_FALSE(layers.empty());
}
