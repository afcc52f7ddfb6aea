#pragma once

#include "control/document.h"
#include "control/preferences.h"

#include <optional>
#include <span>
#include <string_view>

namespace hs {

template <class Enum>
struct StoredName {
    Enum value;
    std::string_view name;
};

/// The words by which sessions and preferences know an enumeration's values; the same for ever.
template <class Enum>
std::span<const StoredName<Enum>> storedNames();

template <>
std::span<const StoredName<Side>> storedNames();
template <>
std::span<const StoredName<GateChoice::Kind>> storedNames();
template <>
std::span<const StoredName<GridChoice::Form>> storedNames();
template <>
std::span<const StoredName<HeadAblation::Kind>> storedNames();
template <>
std::span<const StoredName<Arrangement>> storedNames();
template <>
std::span<const StoredName<Difference>> storedNames();
template <>
std::span<const StoredName<Scale>> storedNames();
template <>
std::span<const StoredName<LabelCorner>> storedNames();
template <>
std::span<const StoredName<FigurePreset>> storedNames();
template <>
std::span<const StoredName<Preferences::Theme>> storedNames();
template <>
std::span<const StoredName<AnalysisKind>> storedNames();
template <>
std::span<const StoredName<SweepUnits>> storedNames();
template <>
std::span<const StoredName<SweepMethod>> storedNames();
template <>
std::span<const StoredName<CircuitUnits>> storedNames();
template <>
std::span<const StoredName<CircuitRanking>> storedNames();
template <>
std::span<const StoredName<TileBadges::Kind>> storedNames();

/// Empty for a value that is never stored.
template <class Enum>
std::string_view storedName(Enum value)
{
    for (const StoredName<Enum>& entry : storedNames<Enum>())
        if (entry.value == value)
            return entry.name;
    return {};
}

template <class Enum>
std::optional<Enum> fromStoredName(std::string_view name)
{
    for (const StoredName<Enum>& entry : storedNames<Enum>())
        if (entry.name == name)
            return entry.value;
    return std::nullopt;
}

}  // namespace hs
