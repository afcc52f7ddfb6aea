#pragma once

#include "text/aligned_text.h"

namespace hs {

enum class NormalForm { Nfc, Nfd, Nfkc, Nfkd };

/// Unicode normalization; a composed character stands for the bytes of all its parts.
AlignedText normalizeUnicode(const AlignedText& text, NormalForm form);

}  // namespace hs
