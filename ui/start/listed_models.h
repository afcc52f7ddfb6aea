#pragma once

#include "control/document/preferences.h"
#include "engine/load/model_fit.h"
#include "model/found_models.h"

#include <QStringList>

#include <functional>
#include <optional>
#include <vector>

namespace hs::start {

/// A line of the start page: a model, or the demo pair.
struct ListedModel {
    enum class Group { Demo, Recent, Downloaded, Beside };

    Group group = Group::Recent;
    model::FoundModel found;
    std::optional<engine::ModelFit> fit;  // none if its sizes are not known

    bool canOpen() const { return found.problem.empty(); }
};

/// Lists the models on this machine, given those opened last. Called on a thread of its own.
using FindModels = std::function<std::vector<ListedModel>(const QStringList& recent,
                                                          const control::Preferences& preferences)>;

/// Reads only configs and headers; see model::foundModels.
std::vector<ListedModel> listModels(const QStringList& recent, const control::Preferences& preferences,
                                    const model::Environment& environment);

}  // namespace hs::start
