#pragma once

#include "base/failure.h"

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace hs::test {

/// A safetensors file put together by hand, so that it can be wrong in every way.
inline std::string safetensorsBytes(std::string_view header, std::string_view data = {})
{
    const std::uint64_t length = header.size();
    std::string file(sizeof length, '\0');
    std::memcpy(file.data(), &length, sizeof length);
    return file.append(header).append(data);
}

inline std::span<const std::byte> asBytes(std::string_view text)
{
    return std::as_bytes(std::span(text.data(), text.size()));
}

inline std::string_view asText(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

/// What `action` throws; an error with an empty message if it does not throw.
template <class Action>
Error errorOf(Action&& action)
{
    try {
        action();
    } catch (const Failure& failure) {
        return failure.error();
    }
    return {};
}

}  // namespace hs::test
