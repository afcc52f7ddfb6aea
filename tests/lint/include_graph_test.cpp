#include "lint/include_graph.h"

#include "support/catch.h"

using namespace hs::lint;

namespace {

IncludeGraph graphOf(const std::vector<SourceFile>& files)
{
    return folderGraph(readIncludes(files));
}

}  // namespace

TEST_CASE("folders are printed in layers, each with what it uses")
{
    const std::vector<SourceFile> files = {
        {"core/base/a.h", "#include <vector>\n"},
        {"core/text/b.h", "#include \"base/a.h\"\n#include \"text/b2.h\"\n"},
        {"core/text/b2.h", ""},
        {"core/model/c.h", "#include \"base/a.h\"\n"},
        {"ui/d.h", "#include \"text/b.h\"\n#include \"base/a.h\"\n"},
        {"tests/e.cpp", "#include \"text/b.h\"\n"},
    };
    CHECK(checkCycles(graphOf(files)) == Findings{});
    CHECK(printedLayers(graphOf(files)) == "1  core/base\n"
                                           "2  core/model uses core/base\n"
                                           "2  core/text uses core/base\n"
                                           "3  ui uses core/base core/text\n");
}

TEST_CASE("folders in a circle are named with an include of each")
{
    const std::vector<SourceFile> files = {
        {"core/base/a.h", "#include <vector>\n#include \"text/b.h\"\n"},
        {"core/text/b.h", "#include \"model/c.h\"\n"},
        {"core/model/c.h", "#include \"base/a.h\"\n"},
        {"ui/d.h", "#include \"text/b.h\"\n"},
    };
    const Findings findings = checkCycles(graphOf(files));
    REQUIRE(findings.size() == 1);
    CHECK(findings[0] == "folders include each other in a circle:\n"
                         "  core/base → core/text: core/base/a.h:2 includes text/b.h\n"
                         "  core/text → core/model: core/text/b.h:1 includes model/c.h\n"
                         "  core/model → core/base: core/model/c.h:1 includes base/a.h");
    CHECK(printedLayers(graphOf(files)).empty());
}
