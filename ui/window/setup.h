#pragma once

#include "control/work/backend.h"

#include <QSettings>
#include <QStringList>

#include <filesystem>
#include <memory>

namespace hs::window {

/// What the window gets from outside, so that tests can replace it.
struct Setup {
    std::unique_ptr<control::Backend> backend;
    std::unique_ptr<QSettings> settings;
    std::filesystem::path recoveryFolder;
    std::string device;                 // for this start only, overrides the preferences; or empty
    QStringList downloadedModels;       // names that can be opened without a path
    control::Document document;         // what to start with
    std::filesystem::path sessionFile;  // opened instead, unless empty
};

}  // namespace hs::window
