#include "control/stored_names.h"

#include <array>
#include <vector>

namespace hs {

template <>
std::span<const StoredName<Side>> storedNames()
{
    static constexpr std::array<StoredName<Side>, 2> kNames = {
        {{Side::Left, "left"}, {Side::Right, "right"}}};
    return kNames;
}

template <>
std::span<const StoredName<GateChoice::Kind>> storedNames()
{
    static constexpr std::array<StoredName<GateChoice::Kind>, 3> kNames = {{
        {GateChoice::Kind::Auto, "own"},
        {GateChoice::Kind::Off, "off"},
        {GateChoice::Kind::Score, "score"},
    }};
    return kNames;
}

template <>
std::span<const StoredName<GridChoice::Form>> storedNames()
{
    static constexpr std::array<StoredName<GridChoice::Form>, 2> kNames = {{
        {GridChoice::Form::Matrix, "matrix"},
        {GridChoice::Form::List, "list"},
    }};
    return kNames;
}

template <>
std::span<const StoredName<HeadAblation::Kind>> storedNames()
{
    static constexpr std::array<StoredName<HeadAblation::Kind>, 3> kNames = {{
        {HeadAblation::Kind::Zero, "zero"},
        {HeadAblation::Kind::Mean, "mean"},
        {HeadAblation::Kind::Replace, "patch"},
    }};
    return kNames;
}

template <>
std::span<const StoredName<Arrangement>> storedNames()
{
    static constexpr std::array<StoredName<Arrangement>, 4> kNames = {{
        {Arrangement::SideBySide, "side-by-side"},
        {Arrangement::Stacked, "stacked"},
        {Arrangement::LeftOnly, "left-only"},
        {Arrangement::RightOnly, "right-only"},
    }};
    return kNames;
}

template <>
std::span<const StoredName<Difference>> storedNames()
{
    static constexpr std::array<StoredName<Difference>, 3> kNames = {{
        {Difference::None, "none"},
        {Difference::BetweenSides, "between-sides"},
        {Difference::AfterAblation, "after-ablation"},
    }};
    return kNames;
}

template <>
std::span<const StoredName<Scale>> storedNames()
{
    static constexpr std::array<StoredName<Scale>, 3> kNames = {{
        {Scale::Linear, "linear"},
        {Scale::SquareRoot, "square-root"},
        {Scale::Logarithmic, "logarithmic"},
    }};
    return kNames;
}

template <>
std::span<const StoredName<LabelCorner>> storedNames()
{
    static constexpr std::array<StoredName<LabelCorner>, 4> kNames = {{
        {LabelCorner::TopRight, "top-right"},
        {LabelCorner::TopLeft, "top-left"},
        {LabelCorner::BottomRight, "bottom-right"},
        {LabelCorner::BottomLeft, "bottom-left"},
    }};
    return kNames;
}

template <>
std::span<const StoredName<FigurePreset>> storedNames()
{
    static const std::vector<StoredName<FigurePreset>> kNames = [] {
        std::vector<StoredName<FigurePreset>> names;
        for (const PresetName& preset : presetNames())
            names.push_back({preset.preset, preset.name});
        return names;
    }();
    return kNames;
}

template <>
std::span<const StoredName<Preferences::Theme>> storedNames()
{
    static constexpr std::array<StoredName<Preferences::Theme>, 3> kNames = {{
        {Preferences::Theme::System, "system"},
        {Preferences::Theme::Light, "light"},
        {Preferences::Theme::Dark, "dark"},
    }};
    return kNames;
}

template <>
std::span<const StoredName<AnalysisKind>> storedNames()
{
    static constexpr std::array<StoredName<AnalysisKind>, 6> kNames = {{
        {AnalysisKind::Sweep, "sweep"},
        {AnalysisKind::Circuit, "circuit"},
        {AnalysisKind::Attribution, "attribution"},
        {AnalysisKind::Scatter, "scatter"},
        {AnalysisKind::Compare, "compare"},
        {AnalysisKind::Flow, "flow"},
    }};
    return kNames;
}

template <>
std::span<const StoredName<SweepUnits>> storedNames()
{
    static constexpr std::array<StoredName<SweepUnits>, 3> kNames = {{
        {SweepUnits::Heads, "heads"},
        {SweepUnits::Groups, "groups"},
        {SweepUnits::Layers, "layers"},
    }};
    return kNames;
}

template <>
std::span<const StoredName<SweepMethod>> storedNames()
{
    static constexpr std::array<StoredName<SweepMethod>, 3> kNames = {{
        {SweepMethod::Zero, "zero"},
        {SweepMethod::Mean, "mean"},
        {SweepMethod::Resample, "resample"},
    }};
    return kNames;
}

template <>
std::span<const StoredName<CircuitUnits>> storedNames()
{
    static constexpr std::array<StoredName<CircuitUnits>, 2> kNames = {{
        {CircuitUnits::Heads, "heads"},
        {CircuitUnits::Edges, "edges"},
    }};
    return kNames;
}

template <>
std::span<const StoredName<CircuitRanking>> storedNames()
{
    static constexpr std::array<StoredName<CircuitRanking>, 3> kNames = {{
        {CircuitRanking::Restore, "restore"},
        {CircuitRanking::Remove, "remove"},
        {CircuitRanking::Gradient, "gradient"},
    }};
    return kNames;
}

template <>
std::span<const StoredName<TileBadges::Kind>> storedNames()
{
    static constexpr std::array<StoredName<TileBadges::Kind>, 3> kNames = {{
        {TileBadges::Kind::None, "none"},
        {TileBadges::Kind::Rank, "rank"},
        {TileBadges::Kind::KnownCircuit, "known-circuit"},
    }};
    return kNames;
}

}  // namespace hs
