#include "service/far_source.h"

#include <string_view>

namespace hs::service {
namespace {

constexpr std::string_view kScheme = "ssh://";

}  // namespace

std::optional<FarSource> farSource(const std::string& source)
{
    if (!source.starts_with(kScheme))
        return std::nullopt;
    const std::size_t slash = source.find('/', kScheme.size());
    const std::size_t end = slash == std::string::npos ? source.size() : slash;
    return FarSource{source.substr(kScheme.size(), end - kScheme.size()),
                     slash == std::string::npos ? "" : source.substr(slash + 1)};
}

std::string toString(const FarSource& far)
{
    return std::string(kScheme) + far.host + "/" + far.source;
}

std::string sourceThere(const std::string& source)
{
    const std::optional<FarSource> far = farSource(source);
    return far ? far->source : source;
}

}  // namespace hs::service
