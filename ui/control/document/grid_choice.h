#pragma once

#include "base/enum_words.h"
#include "base/head_id.h"

#include <QString>

#include <set>
#include <vector>

namespace hs::control {

/// Which heads a grid shows, and where.
struct GridChoice {
    enum class Form {
        Matrix,  // by layer and head: every `layerStep`-th layer, heads firstHead..lastHead
        List,    // one after another, wrapped at `columns`
    };
    /// How a Matrix fills its room; see render::TileFlow.
    enum class Flow { Automatic, LayersDown, LayersAcross };
    Form form = Form::Matrix;
    Flow flow = Flow::Automatic;
    int blocks = 0;  // that share a Matrix' layers; 0: as many as look best
    int layerStep = 1;
    int firstHead = 0;
    int lastHead = -1;         // -1: the model's last one
    std::vector<HeadId> list;  // for a List, in this order; empty: all heads
    QString order;             // of a List: a metric that ranks it, kByKind or kByLikeness; empty: as given
    bool isAscending = false;
    int columns = 0;  // for a List; 0: as many as look best
    std::set<HeadId> hidden;

    friend bool operator==(const GridChoice&, const GridChoice&) = default;
};

/// The order of a List that puts heads of a kind together.
inline const QString kByKind = QStringLiteral("kind");
/// The order that puts heads with like tiles side by side.
inline const QString kByLikeness = QStringLiteral("likeness");

constexpr auto enumWords(GridChoice::Form)
{
    using Form = GridChoice::Form;
    return std::to_array<EnumWord<Form>>({{Form::Matrix, "matrix"}, {Form::List, "list"}});
}

constexpr auto enumWords(GridChoice::Flow)
{
    using Flow = GridChoice::Flow;
    return std::to_array<EnumWord<Flow>>({{Flow::Automatic, "automatic"},
                                          {Flow::LayersDown, "layers-down"},
                                          {Flow::LayersAcross, "layers-across"}});
}

}  // namespace hs::control
