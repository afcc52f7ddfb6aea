#pragma once

#include "base/unit_words.h"
#include "control/document/grid_choice.h"
#include "figures/parts/form.h"

#include <QString>

#include <array>
#include <optional>
#include <span>
#include <string>

namespace hs::control {

enum class FigurePreset {
    HeadGrid,
    RankedHeads,
    Summary,
    ScatterMatrix,
    KeyQuery,
    Attribution,
    Flow,
    Graph,
    ExplainedEffect,
    History,
    Head,
};

/// A preset's name in files and on the command line, and what it shows.
struct PresetName {
    FigurePreset value;
    const char* word;   // "head-grid"
    const char* shows;  // a line in lower case
};

std::span<const PresetName> presetNames();
inline std::span<const PresetName> enumWords(FigurePreset)
{
    return presetNames();
}

/// What a figure shows from one side.
struct FigureSide {
    bool isShown = true;
    QString title;               // empty: the model's
    GridChoice grid;             // which heads, in which order
    bool hasOnlyActive = false;  // heads without a weight above the threshold are left out
    std::string result;          // of an analysis, as the command line's JSON; empty: computed

    friend bool operator==(const FigureSide&, const FigureSide&) = default;
};

/// The user's choices for a figure. Models, prompt and ablations are the document's; with these the
/// figure can be made again at any time.
struct FigureSpec {
    FigurePreset preset = FigurePreset::HeadGrid;
    std::array<FigureSide, 2> sides;  // [Side]
    bool isStacked = false;
    std::optional<int> key;  // positions for `key-query`; none: the cell most heads share
    std::optional<int> query;
    double threshold = 0.1;                   // weights below it are not edges
    QString metric = QStringLiteral("peak");  // for `summary` and `history`
    QString target;              // for `attribution` and `explained-effect`; empty: what is predicted
    QString versus;              // empty: nothing
    QString corrupted;           // prompt for `explained-effect`
    Units units = Units::Heads;  // for `head-grid`, `summary`, `attribution` and `explained-effect`
    double share = 0.8;          // for `attribution`
    double level = 0.9;          // for `explained-effect`
    figures::Form form;

    /// The preset with the choices that suit it.
    static FigureSpec of(FigurePreset preset);

    friend bool operator==(const FigureSpec&, const FigureSpec&) = default;
};

}  // namespace hs::control
