#include "lint/include_rules.h"
#include "lint/libraries.h"

#include "support/catch.h"

using namespace hs::lint;

namespace {

const Architecture& rules()
{
    static const Architecture found =
        readArchitecture({"A.md", "| folder | is | may use |\n"
                                  "| --- | --- | --- |\n"
                                  "| `core/base` | files | nlohmann-json |\n"
                                  "| `core/engine/load` | loads | the above, libtorch |\n"
                                  "| `core/engine/run` | runs | `core/engine/load`, libtorch |\n"
                                  "| `ui/render` | draws | `core`, Qt Gui |\n"
                                  "| `ui/grid` | shows | `ui/render`, Qt Widgets |\n"
                                  "| `app` | starts | `core`, `ui`, QCustomPlot |\n"
                                  "| `tests` | laws | everything |\n"});
    return found;
}

bool refuses(const std::string& path, const std::string& include)
{
    const std::vector<SourceFile> files = {{path, "#pragma once\n  # include <" + include + "> // why\n"},
                                           {"core/base/json.h", ""},
                                           {"core/engine/load/loader.h", ""},
                                           {"core/engine/load/torch_load.h", ""},
                                           {"core/engine/run/run_tensors.h", ""},
                                           {"ui/render/tile.h", ""},
                                           {"app/desktop/menu.h", ""},
                                           {"tests/support/catch.h", ""}};
    return !checkIncludes(readIncludes(files), rules()).empty();
}

std::vector<SourceFile> filesIn(const std::string& folder, int count)
{
    std::vector<SourceFile> files;
    for (int index = 0; index < count; ++index)
        files.push_back({folder + "/f" + std::to_string(index) + ".cpp", ""});
    return files;
}

}  // namespace

TEST_CASE("a folder includes what its row names, and itself")
{
    CHECK_FALSE(refuses("core/engine/load/x.h", "base/json.h"));
    CHECK_FALSE(refuses("core/engine/load/x.h", "engine/load/loader.h"));
    CHECK_FALSE(refuses("core/engine/load/x.h", "loader.h"));
    CHECK_FALSE(refuses("ui/render/x.h", "engine/load/loader.h"));
    CHECK_FALSE(refuses("app/main.cpp", "desktop/menu.h"));
    CHECK_FALSE(refuses("tests/x.cpp", "support/catch.h"));
    CHECK(refuses("core/base/x.h", "engine/load/loader.h"));
    CHECK(refuses("core/engine/load/x.h", "render/tile.h"));
    CHECK(refuses("ui/render/x.h", "desktop/menu.h"));
    CHECK(refuses("app/main.cpp", "support/catch.h"));
}

TEST_CASE("a row says nothing of what the folders it names use")
{
    CHECK(refuses("core/engine/run/x.h", "base/json.h"));
    CHECK(refuses("ui/grid/x.h", "engine/load/loader.h"));
}

TEST_CASE("core knows no Qt")
{
    for (const char* include : {"QString", "QtCore/QString", "QtGlobal", "qglobal.h", "qcustomplot.h"}) {
        CAPTURE(include);
        CHECK(refuses("core/base/x.h", include));
        CHECK_FALSE(refuses("app/x.h", include));
    }
    CHECK_FALSE(refuses("core/base/x.h", "nlohmann/json.hpp"));
    CHECK_FALSE(refuses("core/base/x.h", "model/quantised.h"));
    CHECK(refuses("core/base/x.h", "CLI/CLI.hpp"));
    CHECK(refuses("core/base/x.h", "cuda_runtime_api.h"));
}

TEST_CASE("torch stays in the sources of folders that may use it, and in headers that say so")
{
    for (const char* include : {"torch/torch.h", "ATen/ATen.h", "c10/core/Device.h",
                                "engine/load/torch_load.h", "engine/run/run_tensors.h"}) {
        CAPTURE(include);
        for (const char* path : {"ui/render/x.cpp", "app/main.cpp", "core/base/x.cpp", "core/engine/run/x.h"})
            CHECK(refuses(path, include));
        for (const char* path : {"core/engine/run/x.cpp", "core/engine/run/torch.h",
                                 "core/engine/run/x_tensors.h", "tests/core/engine/x.h"})
            CHECK_FALSE(refuses(path, include));
    }
}

TEST_CASE("Qt's widgets are told from the rest of Qt")
{
    for (const char* include :
         {"QWidget", "QtWidgets/QLabel", "QApplication", "QVBoxLayout", "QAbstractButton", "QTreeWidgetItem",
          "QStyleOptionButton", "QInputDialog", "QGraphicsItem"}) {
        CAPTURE(include);
        CHECK(libraryOf(include) == "Qt Widgets");
        CHECK(refuses("ui/render/x.cpp", include));
        CHECK_FALSE(refuses("ui/grid/x.cpp", include));
    }
    for (const char* include : {"QPainter", "QGuiApplication", "QSvgGenerator", "QPageLayout", "QAction",
                                "QTextLayout", "QStyleHints", "QByteArrayView"}) {
        CAPTURE(include);
        CHECK(libraryOf(include) == "Qt Gui");
        CHECK_FALSE(refuses("ui/render/x.cpp", include));
    }
}

TEST_CASE("every folder with source has a row, and every row a folder")
{
    std::vector<SourceFile> files = filesIn("core/base", 1);
    for (const char* folder :
         {"core/engine/load", "core/engine/run", "ui/render", "ui/grid", "app/desktop", "tests"})
        files.push_back({std::string(folder) + "/x.cpp", ""});
    CHECK(checkFolders(files, rules()) == Findings{});
    files.push_back({"core/cuda/x.cu", ""});
    CHECK(checkFolders(files, rules()).size() == 1);
    files.erase(files.begin());
    CHECK(checkFolders(files, rules()).size() == 2);
}

TEST_CASE("a folder has at most sixty files unless its row says why")
{
    const std::string head = "| folder | is | may use |\n| --- | --- | --- |\n";
    const Architecture plain = readArchitecture({"A.md", head + "| `core` | all | nothing |\n"});
    const Architecture excused =
        readArchitecture({"A.md", head + "| `core` | all; many files: a kernel each | nothing |\n"});
    CHECK(checkFolders(filesIn("core/x", 60), plain).empty());
    CHECK(checkFolders(filesIn("core/x", 61), plain).size() == 1);
    CHECK(checkFolders(filesIn("core/x", 61), excused).empty());
}
