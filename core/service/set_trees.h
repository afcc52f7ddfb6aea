#pragma once

#include "remote/tree.h"
#include "service/backend.h"

namespace hs::service {

// Sets of prompts as trees, for another machine. Reading throws Failure: what came from there is not trusted.

/// A source that names a file travels with its prompts, so it must have been read: see `readHere`.
remote::Tree toTree(const SetSource& source);
SetSource setSourceFrom(const JsonReader& reader);
remote::Tree toTree(const SetView& view);
SetView setViewFrom(const JsonReader& reader);
/// The source with the prompts of its file; a task is made where its model is.
SetSource readHere(SetSource source);

remote::Tree toTree(const SetSummary& summary);
SetSummary setSummaryFrom(const JsonReader& reader, const HeadShape& heads);

/// Without maps.
remote::Tree toTree(const analyses::SetResult& result);
analyses::SetResult setResultFrom(const JsonReader& reader);

}  // namespace hs::service
