#pragma once

#include "base/head_id.h"
#include "remote/tree.h"
#include "service/lens_findings.h"

namespace hs::service {

// What lenses find as trees, for another machine. Reading throws Failure: what came from there is not trusted.

remote::Tree treeOf(const PromptLens& found);
PromptLens promptLensFrom(const JsonReader& reader, const HeadShape& heads);

remote::Tree treeOf(const engine::Saliency& found);
engine::Saliency saliencyFrom(const JsonReader& reader);

remote::Tree treeOf(const engine::PromotedTokens& tokens);
engine::PromotedTokens promotedFrom(const JsonReader& reader);

remote::Tree treeOf(const HeadWords& found);
HeadWords headWordsFrom(const JsonReader& reader, const HeadShape& heads);

}  // namespace hs::service
