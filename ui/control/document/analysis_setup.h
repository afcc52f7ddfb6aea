#pragma once

#include "base/enum_words.h"
#include "base/head_id.h"
#include "service/analysis.h"

#include <QString>

#include <array>
#include <vector>

namespace hs::control {

/// What the user decides about the lens.
struct LensChoice {
    enum class Colour {
        Probability,  // of the most probable token
        Rank,         // of the target
    };
    enum class Saliency { None, GradientTimesInput, Integrated };

    Colour colour = Colour::Probability;
    bool withHalves = false;  // also between attention and MLP
    Saliency saliency = Saliency::GradientTimesInput;

    friend bool operator==(const LensChoice&, const LensChoice&) = default;
};

constexpr auto enumWords(LensChoice::Colour)
{
    using Colour = LensChoice::Colour;
    return std::to_array<EnumWord<Colour>>({{Colour::Probability, "probability"}, {Colour::Rank, "rank"}});
}

constexpr auto enumWords(LensChoice::Saliency)
{
    using Saliency = LensChoice::Saliency;
    return std::to_array<EnumWord<Saliency>>({{Saliency::None, "none"},
                                              {Saliency::GradientTimesInput, "gradient-times-input"},
                                              {Saliency::Integrated, "integrated"}});
}

/// What the user decides about analyses besides prompts and tokens, which belong to the document.
struct AnalysisSetup {
    service::SweepSetup sweep;
    service::CircuitSetup circuit;
    double share = 0.8;                // of the attribution, for its smallest set of heads to reach
    std::vector<HeadId> scatterHeads;  // empty: the first of those shown
    double flowThreshold = 0.1;        // weights below it are not edges
    bool hasRollout = false;           // beside the flow
    LensChoice lens;
    double graphShare = 0.8;                         // of influence, which the nodes drawn have
    QString historyMetric = QStringLiteral("peak");  // whose curves over training are drawn

    friend bool operator==(const AnalysisSetup&, const AnalysisSetup&) = default;
};

/// What tiles tell besides their names and cells.
struct TileBadges {
    enum class Kind {
        None,
        Rank,          // of the heads in an analysis's result, if there is one
        KnownCircuit,  // roles of a published circuit
    };
    Kind kind = Kind::None;
    service::AnalysisKind analysis = service::AnalysisKind::Sweep;  // for Rank
    int count = 20;                                                 // ranks up to this are shown
    bool hasKinds = false;  // a strip beside each tile in the colour of its kind

    friend bool operator==(const TileBadges&, const TileBadges&) = default;
};

constexpr auto enumWords(TileBadges::Kind)
{
    using Kind = TileBadges::Kind;
    return std::to_array<EnumWord<Kind>>(
        {{Kind::None, "none"}, {Kind::Rank, "rank"}, {Kind::KnownCircuit, "known-circuit"}});
}

}  // namespace hs::control
