#include "lint/source_rules.h"

#include "support/catch.h"

using namespace hs::lint;

namespace {

bool refusesInclude(const std::string& path, const std::string& include)
{
    return !checkIncludes({path, "#pragma once\n  # include <" + include + ">\n"}).empty();
}

}  // namespace

TEST_CASE("the repository keeps its own rules")
{
    const std::vector<SourceFile> files = readSources(HS_SOURCE_DIR);
    REQUIRE(files.size() > 20);
    int packageLists = 0;
    for (const SourceFile& file : files) {
        Findings findings = checkIncludes(file);
        for (const auto& check : {checkLength, checkMachinePaths, checkTestNames})
            for (const std::string& finding : check(file))
                findings.push_back(finding);
        if (file.path.starts_with("packaging/debian-packages")) {
            ++packageLists;
            for (const std::string& finding : checkPackageList(file))
                findings.push_back(finding);
        }
        for (const std::string& finding : findings)
            FAIL_CHECK(finding);
    }
    CHECK(packageLists == 2);
}

TEST_CASE("core knows no Qt")
{
    for (const char* include : {"QString", "QtCore/QString", "QtGlobal", "qglobal.h", "qcustomplot.h"}) {
        CAPTURE(include);
        CHECK(refusesInclude("core/model/config.h", include));
        CHECK_FALSE(refusesInclude("ui/grid/view.h", include));
    }
    CHECK_FALSE(refusesInclude("core/model/config.h", "base/result.h"));
    CHECK_FALSE(refusesInclude("core/model/config.h", "model/quantised.h"));
}

TEST_CASE("torch stays inside the engine")
{
    for (const char* include : {"torch/torch.h", "ATen/ATen.h", "c10/core/Device.h", "engine/torch.h",
                                "engine/torch_device.h", "engine/decoder_tensors.h"}) {
        CAPTURE(include);
        for (const char* path :
             {"ui/render/figure.cpp", "app/main.cpp", "core/model/config.cpp", "core/engine/engine.h"})
            CHECK(refusesInclude(path, include));
        for (const char* path :
             {"core/engine/engine.cpp", "core/engine/torch.h", "core/engine/layer_tensors.h",
              "core/cuda/kernels.h", "tests/core/engine/engine_test.cpp"})
            CHECK_FALSE(refusesInclude(path, include));
    }
    CHECK_FALSE(refusesInclude("app/main.cpp", "engine/engine.h"));
}

TEST_CASE("ui/render and ui/figures need no widgets")
{
    for (const char* include :
         {"QWidget", "QtWidgets/QLabel", "QApplication", "QVBoxLayout", "QAbstractButton"}) {
        CAPTURE(include);
        CHECK(refusesInclude("ui/render/figure.cpp", include));
        CHECK_FALSE(refusesInclude("ui/grid/view.cpp", include));
    }
    for (const char* include : {"QPainter", "QGuiApplication", "QSvgGenerator", "QPageLayout", "QAction"}) {
        CAPTURE(include);
        CHECK_FALSE(refusesInclude("ui/render/figure.cpp", include));
    }
}

TEST_CASE("no source file reaches 500 lines")
{
    CHECK(checkLength({"core/base/x.cpp", std::string(499, '\n')}).empty());
    CHECK_FALSE(checkLength({"core/base/x.cpp", std::string(500, '\n')}).empty());
    CHECK(checkLength({"LICENSE", std::string(700, '\n')}).empty());
}

TEST_CASE("no file names a path of one machine")
{
    const std::string slash = "/";
    for (const std::string& text :
         {slash + "work/x", "a \"" + slash + "root/.cache\"", "=" + slash + "home/ann/x"}) {
        CAPTURE(text);
        CHECK_FALSE(checkMachinePaths({"README.md", "first\n" + text + "\n"}).empty());
    }
    CHECK(checkMachinePaths({"README.md", "the frame" + slash + "work/flow\n${dir}" + slash + "root/\n"})
              .empty());
}

TEST_CASE("no test has a semicolon in its name")
{
    const std::string begin = "TEST_CASE(\"one law";
    CHECK(checkTestNames({"tests/a_test.cpp", begin + "; another\")\n"}).size() == 1);
    CHECK(checkTestNames({"tests/a_test.cpp", begin + ", another\") {} int a;\n"}).empty());
}

TEST_CASE("a package list is sorted and names nothing twice")
{
    CHECK(checkPackageList({"p.txt", "# all\nalpha # why\nbeta\n\ngamma"}).empty());
    CHECK_FALSE(checkPackageList({"p.txt", "beta\nalpha\n"}).empty());
    CHECK_FALSE(checkPackageList({"p.txt", "alpha\nalpha # again\n"}).empty());
}
