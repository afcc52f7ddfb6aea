#pragma once

#include "analyses/circuit.h"
#include "analyses/sweep.h"
#include "base/enum_words.h"
#include "base/head_id.h"

#include <array>
#include <vector>

namespace hs::control {

/// The questions behind the pictures, one panel each.
enum class AnalysisKind { Sweep, Circuit, Attribution, Scatter, Compare, Flow };

constexpr auto enumWords(AnalysisKind)
{
    return std::to_array<EnumWord<AnalysisKind>>({{AnalysisKind::Sweep, "sweep"},
                                                  {AnalysisKind::Circuit, "circuit"},
                                                  {AnalysisKind::Attribution, "attribution"},
                                                  {AnalysisKind::Scatter, "scatter"},
                                                  {AnalysisKind::Compare, "compare"},
                                                  {AnalysisKind::Flow, "flow"}});
}

inline constexpr std::array kAnalyses = {AnalysisKind::Sweep,       AnalysisKind::Circuit,
                                         AnalysisKind::Attribution, AnalysisKind::Scatter,
                                         AnalysisKind::Compare,     AnalysisKind::Flow};

struct SweepSetup {
    analyses::SweepUnits units = analyses::SweepUnits::Heads;
    analyses::SweepMethod method = analyses::SweepMethod::Zero;

    friend bool operator==(const SweepSetup&, const SweepSetup&) = default;
};

struct CircuitSetup {
    analyses::CircuitUnits units = analyses::CircuitUnits::Heads;
    analyses::CircuitRanking ranking = analyses::CircuitRanking::Restore;
    double level = 0.9;
    bool isRefined = false;

    friend bool operator==(const CircuitSetup&, const CircuitSetup&) = default;
};

/// What the user decides about analyses besides prompts and tokens, which belong to the document.
struct AnalysisSetup {
    SweepSetup sweep;
    CircuitSetup circuit;
    double share = 0.8;                // of the attribution, for its smallest set of heads to reach
    std::vector<HeadId> scatterHeads;  // empty: the first of those shown
    double flowThreshold = 0.1;        // weights below it are not edges

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
    AnalysisKind analysis = AnalysisKind::Sweep;  // for Rank
    int count = 20;                               // ranks up to this are shown
    bool hasKinds = false;                        // a strip beside each tile in the colour of its kind

    friend bool operator==(const TileBadges&, const TileBadges&) = default;
};

constexpr auto enumWords(TileBadges::Kind)
{
    using Kind = TileBadges::Kind;
    return std::to_array<EnumWord<Kind>>(
        {{Kind::None, "none"}, {Kind::Rank, "rank"}, {Kind::KnownCircuit, "known-circuit"}});
}

}  // namespace hs::control
