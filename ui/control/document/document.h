#pragma once

#include "base/enum_words.h"
#include "base/side.h"
#include "control/document/analysis_setup.h"
#include "control/document/figure_spec.h"
#include "control/document/graph_choice.h"
#include "control/document/grid_choice.h"
#include "control/document/set_choice.h"
#include "engine/request/adapter_choice.h"
#include "engine/request/gate_choice.h"
#include "render/colour_map.h"
#include "render/label_corner.h"
#include "service/generation.h"
#include "text/blocks.h"

#include <QString>

#include <array>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace hs::control {

/// What a model reads.
struct Prompt {
    QString text;         // or a chat as JSON; see text::parseChat
    bool isChat = false;  // which of them
    QString tokenIds;     // "1,2,3": used as they are, instead of the text
    bool hasBos = true;

    friend bool operator==(const Prompt&, const Prompt&) = default;
};

/// One of the two grids: a model, what it reads, how it runs and what is shown from it.
struct SideSetup {
    QString model;  // folder, file, org/name or demo:…; empty: none chosen yet
    Prompt prompt;
    std::vector<engine::AdapterChoice> adapters;
    engine::GateChoice gate;
    std::map<HeadId, HeadChange> ablations;  // Replace: from Document::corrupted
    GridChoice grid;
    GraphChoice graph;
    std::vector<std::int64_t> generated;  // tokens that the model wrote behind the prompt

    /// Another model: the features and the adapters of the old one do not fit it.
    void setModel(const QString& source)
    {
        if (model == source)
            return;
        model = source;
        graph = {};
        adapters.clear();
    }

    friend bool operator==(const SideSetup&, const SideSetup&) = default;
};

enum class Arrangement { Automatic, SideBySide, Stacked, LeftOnly, RightOnly };

constexpr auto enumWords(Arrangement)
{
    return std::to_array<EnumWord<Arrangement>>({{Arrangement::Automatic, "automatic"},
                                                 {Arrangement::SideBySide, "side-by-side"},
                                                 {Arrangement::Stacked, "stacked"},
                                                 {Arrangement::LeftOnly, "left-only"},
                                                 {Arrangement::RightOnly, "right-only"}});
}

/// What the colours of tiles stand for.
enum class TileValue {
    Weights,
    ValueWeighted,  // weight times the norm of what the key's value writes to the residual
    Scores,         // before the softmax
    BetweenSides,   // weights, right - left, in both grids
    AfterAblation,  // weights, after - before ablation, in each grid separately
    SinceKept,      // weights, minus those of the run kept for comparison, in each grid separately
};

constexpr auto enumWords(TileValue)
{
    return std::to_array<EnumWord<TileValue>>({{TileValue::Weights, "weights"},
                                               {TileValue::Weights, "none"},  // as differences once said
                                               {TileValue::ValueWeighted, "value-weighted"},
                                               {TileValue::Scores, "scores"},
                                               {TileValue::BetweenSides, "between-sides"},
                                               {TileValue::AfterAblation, "after-ablation"},
                                               {TileValue::SinceKept, "since-kept"}});
}

/// Whether colours go both ways from white.
constexpr bool isSigned(TileValue value)
{
    return value != TileValue::Weights && value != TileValue::ValueWeighted;
}

/// Colours and labels of both grids.
struct Look {
    QString colourMap = render::ColourMap::names().front();
    render::Scale scale = render::Scale::SquareRoot;
    bool isPerHead = false;  // each head's largest weight has full colour
    bool hidesFirstToken = false;
    render::LabelCorner labelCorner = render::LabelCorner::TopRight;
    bool hasMlps = true;  // behind the heads of each layer

    friend bool operator==(const Look&, const Look&) = default;
};

/// What a click on a tile does.
struct AblationTool {
    engine::HeadAblation::Kind kind = engine::HeadAblation::Kind::Zero;
    bool isWholeGroup = false;  // all query heads that share the key/value head
    CellMethod cells;           // what becomes of cells that are cut

    friend bool operator==(const AblationTool&, const AblationTool&) = default;
};

/// In what the two sides are the same: a change of one is a change of both.
struct Alike {
    bool prompt = true;
    bool ablations = false;
    bool model = false;

    friend bool operator==(const Alike&, const Alike&) = default;
};

/// Everything the user decides and can undo; what a session stores besides the view. A value: undo
/// and redo replace one document with another.
struct Document {
    std::array<SideSetup, 2> sides;  // [Side]
    Alike alike;
    service::GenerationSetup generation;
    std::optional<int> step;  // generated tokens that are in the text shown; none: all
    Arrangement arrangement = Arrangement::Automatic;
    TileValue tiles = TileValue::Weights;
    Look look;
    AblationTool tool;
    text::BlockChoice blocks;     // that maps, tiles and statistics are of, in both sides' texts
    QString filter;               // heads that do not match are dimmed; see HeadFilter
    std::optional<int> key;       // pinned position, of a token or a block
    std::optional<int> query;     // likewise
    std::optional<int> keyTo;     // the pinned key is all tokens between it and this one; none: itself
    std::optional<int> queryTo;   // likewise
    bool joinsWords = false;      // what is pinned and pointed at is whole words
    std::optional<int> position;  // token where predictions are read; none: the last one
    QString target;               // text of a token to watch
    QString distractor;
    QString corrupted;  // a prompt of as many tokens, without the clue to the answer
    SetChoice set;
    AnalysisSetup analyses;
    TileBadges badges;
    double edgeThreshold = 0.1;  // for "heads mapping key to query"
    FigureSpec figure = FigureSpec::of(FigurePreset::HeadGrid);

    SideSetup& side(Side side) { return sides[indexOf(side)]; }
    const SideSetup& side(Side side) const { return sides[indexOf(side)]; }
    const Prompt& prompt(Side side = Side::Left) const { return sides[indexOf(side)].prompt; }

    friend bool operator==(const Document&, const Document&) = default;
};

/// Whether several tokens may be meant together: keys by the sum of their weights, queries by the mean.
inline bool hasSelection(const Document& document)
{
    return document.joinsWords || document.keyTo || document.queryTo;
}

/// Other blocks: what is pinned was of the old ones.
inline void setBlocks(Document& document, const text::BlockChoice& blocks)
{
    document.blocks = blocks;
    document.key.reset();
    document.query.reset();
    document.keyTo.reset();
    document.queryTo.reset();
}

/// Another prompt for a side, and for the other one if they are alike in it.
inline void setPrompt(Document& document, const Prompt& prompt, Side side = Side::Left)
{
    document.side(side).prompt = prompt;
    if (document.alike.prompt)
        document.side(otherSide(side)).prompt = prompt;
}

/// A new text discards token ids that were given instead of it, and is looked at instead of a set.
inline void setPrompt(Document& document, const QString& text, bool isChat = false, Side side = Side::Left)
{
    const Prompt& old = document.prompt(side);
    if (old.text == text && old.isChat == isChat)
        return;
    setPrompt(document, {text, isChat, {}, old.hasBos}, side);
    document.set.index.reset();
    document.set.average.reset();
}

inline void setTokenIds(Document& document, const QString& ids)
{
    Prompt prompt = document.prompt();
    prompt.tokenIds = ids;
    setPrompt(document, prompt);
}

inline void setBos(Document& document, bool hasBos, Side side = Side::Left)
{
    Prompt prompt = document.prompt(side);
    prompt.hasBos = hasBos;
    setPrompt(document, prompt, side);
}

}  // namespace hs::control
