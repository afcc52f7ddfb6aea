#pragma once

#include "remote/tree.h"
#include "service/backend.h"

#include <functional>

namespace hs::service {

// Requests as trees, for another machine. Reading throws Failure: what came from there is not trusted.

using FindModel = std::function<std::shared_ptr<const OpenModel>(const OpenRequest&)>;

/// Sources are named as the machine that has them calls them.
remote::Tree toTree(const OpenRequest& request);
OpenRequest openRequestFrom(const JsonReader& reader);

/// `find` gives the open models that requests are about.
remote::Tree toTree(const SideRequest& request);
SideRequest sideRequestFrom(const JsonReader& reader, const FindModel& find);

remote::Tree toTree(const AnalysisRequest& request);
AnalysisRequest analysisRequestFrom(const JsonReader& reader, const FindModel& find);

remote::Tree toTree(const GenerationSetup& setup);
GenerationSetup generationSetupFrom(const JsonReader& reader);
remote::Tree toTree(const GeneratedText& text);
GeneratedText generatedTextFrom(const JsonReader& reader);
std::int64_t generatedTokenFrom(const JsonReader& reader);

remote::Tree toTree(const MapQuery& query);
MapQuery mapQueryFrom(const JsonReader& reader, const HeadShape& heads);

/// Heads as pairs of numbers.
remote::Tree toTree(const std::vector<HeadId>& heads);
std::vector<HeadId> headsFrom(const JsonReader& reader, const HeadShape& shape);

}  // namespace hs::service
