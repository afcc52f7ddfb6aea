#pragma once

#include "text/byte_span.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hs::text {

/// A compiled pattern from a tokenizer.json, matched within limits because such files are
/// untrusted. Immutable; may be used by several threads at once.
class Regex {
public:
    enum class UnicodeVersion {
        OfTokenizers,  // code points are what the library behind tokenizer.json takes them for
        OfPcre2,       // … what the installed PCRE2 takes them for
    };

    /// Throws Failure for a pattern that does not compile or would be read differently here.
    explicit Regex(std::string_view pattern, UnicodeVersion version = UnicodeVersion::OfTokenizers);

    /// All matches in well-formed text (see utf8.h), left to right, none overlapping; an empty match
    /// right after the previous match is skipped. Throws Failure when a limit is reached.
    std::vector<ByteSpan> findAll(std::string_view text) const;

private:
    struct Code;
    std::shared_ptr<const Code> m_code;
};

}  // namespace hs::text
