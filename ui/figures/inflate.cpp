#include "figures/inflate.h"

#include "base/failure.h"

namespace hs {
namespace {

constexpr qsizetype kMostInflated = 64 << 20;
constexpr qsizetype kLargestRatio = 1032;  // of a deflate stream, by its format

}  // namespace

QByteArray inflated(QByteArrayView stream)
{
    if (stream.size() > kMostInflated / kLargestRatio)
        fail(ErrorCode::TooLarge, "The file's packed text is too long to be read safely; "
                                  "use the file as HeadScope wrote it.");
    // qUncompress wants the size first, and takes it for a guess.
    const QByteArray guess("\0\0\x10\0", 4);
    const QByteArray content = qUncompress(guess + stream.toByteArray());
    if (content.isNull())
        fail(ErrorCode::BadFile, "The file's packed text is damaged; use the file as HeadScope wrote it.");
    return content;
}

}  // namespace hs
