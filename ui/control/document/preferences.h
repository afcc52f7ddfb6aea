#pragma once

#include "control/document/document.h"

#include <cstdint>
#include <string>

class QSettings;

namespace hs::control {

/// What the user set for all documents.
struct Preferences {
    enum class Theme { System, Light, Dark };

    Theme theme = Theme::System;
    std::string device = "auto";
    std::string dtype = "auto";
    bool tf32 = false;                      // float32 products on a GPU may be rounded
    std::uint64_t mapBudget = 512'000'000;  // bytes of full maps kept for opened heads
    bool runsAsYouType = true;
    bool isLinked = true;  // zooming one grid zooms the other
    int autosaveSeconds = 10;
    bool offersTour = true;  // until it has been closed once
    Look look;               // for new documents

    friend bool operator==(const Preferences&, const Preferences&) = default;
};

constexpr auto enumWords(Preferences::Theme)
{
    using Theme = Preferences::Theme;
    return std::to_array<EnumWord<Theme>>(
        {{Theme::System, "system"}, {Theme::Light, "light"}, {Theme::Dark, "dark"}});
}

/// Missing or nonsensical values become the defaults.
Preferences loadPreferences(const QSettings& settings);
void savePreferences(const Preferences& preferences, QSettings& settings);

}  // namespace hs::control
