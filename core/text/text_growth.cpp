#include "text/text_growth.h"

#include "base/failure.h"
#include "base/text_format.h"

namespace hs::text {
namespace {

// A Unicode character becomes eighteen at most, and a byte a symbol of two bytes.
constexpr std::size_t kLargestRatio = 64;
constexpr std::size_t kAlwaysAllowed = 1u << 20;

}  // namespace

void requireModestGrowth(std::size_t bytes, std::size_t madeOf)
{
    if (bytes > kAlwaysAllowed && bytes / kLargestRatio > madeOf)
        fail(ErrorCode::Unsupported, "This tokenizer makes " + formatBytes(bytes) + " of text out of " +
                                         formatBytes(madeOf) +
                                         "; fetch tokenizer.json again or pass token ids with --tokens.");
}

}  // namespace hs::text
