#pragma once

#include "base/json.h"

namespace hs::model {

/// The part of a config.json that describes the decoder: all of it, or the `text_config` of a model that takes
/// pictures or sound, too. There transformers leaves out what is at its default, which is filled in here.
Json textConfig(const Json& config);

}  // namespace hs::model
