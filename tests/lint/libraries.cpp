#include "lint/libraries.h"

#include <algorithm>
#include <array>
#include <regex>

namespace hs::lint {
namespace {

struct Library {
    const char* name;
    const char* headers;  // a regular expression that matches whole includes
    const char* parts;    // another library that comes with it
};

// The first match counts.
const std::array kLibraries = {
    Library{"libtorch", "(torch|ATen|c10|caffe2)/.*", ""},
    Library{"CUDA Toolkit", "(cuda|cublas|cooperative_groups|cub/|curand|mma|nvml).*", ""},
    Library{"QCustomPlot", "qcustomplot.*", "Qt Widgets"},
    Library{
        "Qt Widgets",
        "(QtWidgets(/.*)?|(.*/)?Q("
        "Application|(Abstract)?Graphics.*|(Common|Proxy)?Style((d|Factory|HintReturn|Option|P).*)?|"
        "(Pan|Pinch|Swipe|Tap|TapAndHold)?Gesture(Event)?|(VBox|HBox|Box|Grid|Form|Stacked)?Layout(Item)?|"
        ".*(Box|Button|Widget|Dialog|Label|Menu|Slider)|(Data)?Widget(Action|Item.*|Mapper)|"
        ".*(Header|List|Table|Tree|Column|Undo|Item)View|.*(Line|Text|Date|Time|Sequence)Edit|"
        "(Menu|Scroll|Status|Tab|Tool|Progress)Bar|(List|Table|Tree)WidgetItem.*|.*ItemDelegate|"
        "(Focus)?Frame|.*(ButtonGroup|Completer|Dial|ErrorMessage|MainWindow|MdiArea|ScrollArea|Scroller|"
        "Splitter|RubberBand|SizeGrip|SizePolicy|SplashScreen|TextBrowser|ToolTip|TrayIcon|WhatsThis|"
        "Wizard|WizardPage)))",
        "Qt Gui"},
    Library{"Qt Gui", "(Qt?[A-Z].*|.*/Q[A-Z][A-Za-z]*|q[a-z]+\\.h)", ""},
    Library{"PCRE2", "pcre2.*", ""},
    Library{"zlib", "zlib\\.h|zconf\\.h", ""},
    Library{"zstd", "zstd.*\\.h", ""},
    Library{"qpdf", "qpdf/.*", ""},
    Library{"CLI11", "CLI/.*", ""},
    Library{"nlohmann-json", "nlohmann/.*", ""},
    Library{"the standard library", ".*", ""},
};

}  // namespace

bool isLibrary(const std::string& name)
{
    return std::ranges::any_of(kLibraries, [&](const Library& library) { return library.name == name; });
}

std::string libraryOf(const std::string& include)
{
    const auto found = std::ranges::find_if(kLibraries, [&](const Library& library) {
        return std::regex_match(include, std::regex(library.headers));
    });
    return found->name;
}

bool isPartOf(const std::string& library, const std::string& part)
{
    if (library == part)
        return true;
    const auto found = std::ranges::find(kLibraries, library, &Library::name);
    return found != kLibraries.end() && *found->parts != 0 && isPartOf(found->parts, part);
}

}  // namespace hs::lint
