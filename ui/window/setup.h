#pragma once

#include "service/backend.h"
#include "service/machines.h"
#include "start/listed_models.h"

#include <QSettings>

#include <filesystem>
#include <memory>

namespace hs::window {

/// What the window gets from outside, so that tests can replace it.
struct Setup {
    std::unique_ptr<service::Backend> backend;
    std::shared_ptr<service::Machines> machines;  // the others that the backend uses; may be null
    std::unique_ptr<QSettings> settings;
    std::filesystem::path recoveryFolder;
    std::string device;                 // for this start only, overrides the preferences; or empty
    start::FindModels findModels;       // for the start page; none: it lists nothing
    bool offersTour = false;            // at the first start on the demo pair
    control::Document document;         // what to start with
    std::filesystem::path sessionFile;  // opened instead, unless empty
};

}  // namespace hs::window
