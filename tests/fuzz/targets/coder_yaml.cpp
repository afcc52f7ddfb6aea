#include "fuzz/target.h"

#include "base/failure.h"
#include "features/coders/yaml.h"

namespace hs::fuzz {
namespace {

std::size_t depthOf(const Json& json)
{
    std::size_t deepest = 0;
    if (json.is_structured())
        for (const Json& each : json)
            deepest = std::max(deepest, depthOf(each));
    return deepest + 1;
}

void check(std::string_view input)
{
    const auto json = guarded([&] { return features::parseYaml(input, "config.yaml"); });
    if (!json)
        return requireRefusal(json.error());
    require(json->is_structured(), "settings are a map or a list");
    require(depthOf(*json) < 64, "settings have bounds");
    // What JSON has of it is YAML as well, if it is on one line.
    const std::string text = json->dump(-1, ' ', true, Json::error_handler_t::ignore);
    const auto again = guarded([&] { return features::parseYaml("a: " + text, "config.yaml"); });
    if (again)
        require(again->is_object(), "JSON is read as YAML");
    else
        requireRefusal(again.error());
}

const Target kTarget("coder_yaml", check);

}  // namespace
}  // namespace hs::fuzz
