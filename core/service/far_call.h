#pragma once

#include "base/enum_words.h"

namespace hs::service {

/// What one asks of the engine on another machine: the "do" of a request.
enum class FarCall { Open, Tokenizer, Run, Maps, Pooled, Cells, Analyse, Labels, List, Generate, Check };

constexpr auto enumWords(FarCall)
{
    return std::to_array<EnumWord<FarCall>>({{FarCall::Open, "open"},
                                             {FarCall::Tokenizer, "tokenizer"},
                                             {FarCall::Run, "run"},
                                             {FarCall::Maps, "maps"},
                                             {FarCall::Pooled, "pooled"},
                                             {FarCall::Cells, "cells"},
                                             {FarCall::Analyse, "analyse"},
                                             {FarCall::Labels, "labels"},
                                             {FarCall::List, "list"},
                                             {FarCall::Generate, "generate"},
                                             {FarCall::Check, "check"}});
}

}  // namespace hs::service
