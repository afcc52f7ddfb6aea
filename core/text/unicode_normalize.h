#pragma once

#include "base/enum_words.h"
#include "text/aligned_text.h"

namespace hs::text {

enum class NormalForm { Nfc, Nfd, Nfkc, Nfkd };

constexpr auto enumWords(NormalForm)
{
    return std::to_array<EnumWord<NormalForm>>({{NormalForm::Nfc, "NFC"},
                                                {NormalForm::Nfd, "NFD"},
                                                {NormalForm::Nfkc, "NFKC"},
                                                {NormalForm::Nfkd, "NFKD"}});
}

/// Unicode normalization; a composed character stands for the bytes of all its parts.
AlignedText normalizeUnicode(const AlignedText& text, NormalForm form);

}  // namespace hs::text
