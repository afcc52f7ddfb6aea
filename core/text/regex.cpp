#include "text/regex.h"

#include "base/failure.h"
#include "text/regex_syntax.h"
#include "text/time_limit.h"
#include "text/unicode_data.h"
#include "text/utf8.h"

#include <pcre2.h>

#include <optional>

namespace hs::text {

namespace {

template <auto release>
struct Releaser {
    template <class T>
    void operator()(T* handle) const
    {
        release(handle);
    }
};

using CodeHandle = std::unique_ptr<pcre2_code, Releaser<pcre2_code_free>>;
using CompileContext = std::unique_ptr<pcre2_compile_context, Releaser<pcre2_compile_context_free>>;
using MatchContext = std::unique_ptr<pcre2_match_context, Releaser<pcre2_match_context_free>>;
using MatchData = std::unique_ptr<pcre2_match_data, Releaser<pcre2_match_data_free>>;
using JitStack = std::unique_ptr<pcre2_jit_stack, Releaser<pcre2_jit_stack_free>>;

constexpr std::size_t kMaxPatternBytes = 64u << 10;
constexpr std::size_t kJitStackBytes = 8u << 20;
constexpr std::uint32_t kHeapKibibytes = 64u << 10;
// PCRE2's match limit starts afresh at every byte where a match may start, so a search covers this many
// of them at a time and checks the clock in between.
constexpr std::size_t kStartsAtOnce = 512;
constexpr std::size_t kMatchesAtOnce = 64;
constexpr std::size_t kMostSteps = 8'000'000;

std::string pcre2Message(int code)
{
    PCRE2_UCHAR buffer[256];
    return pcre2_get_error_message(code, buffer, sizeof buffer) < 0 ? "error " + std::to_string(code)
                                                                    : reinterpret_cast<const char*>(buffer);
}

CodeHandle compile(const std::string& pattern)
{
    const CompileContext context(pcre2_compile_context_create(nullptr));
    pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
    int error = 0;
    PCRE2_SIZE offset = 0;
    // In tokenizer.json, ^ and $ match at every line.
    CodeHandle code(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(),
                                  PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_USE_OFFSET_LIMIT, &error,
                                  &offset, context.get()));
    if (!code)
        fail(ErrorCode::Unsupported,
             "The split pattern of this tokenizer cannot be used (" + pcre2Message(error) + " at character " +
                 std::to_string(offset) + "); pass token ids with --tokens instead.",
             "pattern: " + pattern);
    // Without the compiler (a hardened system) the interpreter does the same work more slowly.
    pcre2_jit_compile(code.get(), PCRE2_JIT_COMPLETE);
    return code;
}

/// The state of one search through one text.
class Search {
public:
    Search(const pcre2_code* code, std::string_view text)
        : m_code(code), m_text(text), m_context(pcre2_match_context_create(nullptr)),
          m_data(pcre2_match_data_create(1, nullptr))
    {
        if (!m_context || !m_data)
            throw std::bad_alloc();
        // Honest patterns go over a run of text a few times; runaway ones are exponential.
        const auto limit =
            static_cast<std::uint32_t>(std::min<std::size_t>(100'000 + 32 * text.size(), kMostSteps));
        pcre2_set_match_limit(m_context.get(), limit);
        pcre2_set_depth_limit(m_context.get(), limit);
        pcre2_set_heap_limit(m_context.get(), kHeapKibibytes);
    }

    std::optional<ByteSpan> from(std::size_t start)
    {
        while (start <= m_text.size()) {
            const std::size_t last = start + kStartsAtOnce - 1;
            if (const std::optional<ByteSpan> found = startingWithin(start, last))
                return found;
            TimeLimit::check();
            start = last + 1;
            while (start < m_text.size() && isContinuation(m_text[start]))
                ++start;
        }
        return std::nullopt;
    }

private:
    std::optional<ByteSpan> startingWithin(std::size_t first, std::size_t last)
    {
        pcre2_set_offset_limit(m_context.get(), last);
        int found = match(first);
        if (found == PCRE2_ERROR_JIT_STACKLIMIT && !m_stack) {
            m_stack.reset(pcre2_jit_stack_create(kJitStackBytes / 8, kJitStackBytes, nullptr));
            pcre2_jit_stack_assign(m_context.get(), nullptr, m_stack.get());
            found = match(first);
        }
        if (found == PCRE2_ERROR_NOMATCH)
            return std::nullopt;
        if (found < 0)
            fail(ErrorCode::Unsupported, "The split pattern of this tokenizer takes too long on this text (" +
                                             pcre2Message(found) +
                                             "); shorten the text or pass token ids with --tokens.");
        const PCRE2_SIZE* bounds = pcre2_get_ovector_pointer(m_data.get());
        return ByteSpan{static_cast<std::uint32_t>(bounds[0]), static_cast<std::uint32_t>(bounds[1])};
    }

    int match(std::size_t start)
    {
        return pcre2_match(m_code, reinterpret_cast<PCRE2_SPTR>(m_text.data()), m_text.size(), start,
                           PCRE2_NO_UTF_CHECK, m_data.get(), m_context.get());
    }

    const pcre2_code* m_code;
    std::string_view m_text;
    MatchContext m_context;
    MatchData m_data;
    JitStack m_stack;  // made when the default of 32 kB is not enough
};

}  // namespace

struct Regex::Code {
    std::shared_ptr<pcre2_code> handle;
    UnicodeVersion version;
};

Regex::Regex(std::string_view pattern, UnicodeVersion version)
{
    if (pattern.size() > kMaxPatternBytes)
        fail(ErrorCode::BadFile,
             "The split pattern of this tokenizer is too long; fetch tokenizer.json again.");
    m_code = std::make_shared<Code>(Code{compile(toPcre2Syntax(pattern)), version});
}

std::vector<ByteSpan> Regex::findAll(std::string_view text) const
{
    std::string replaced;
    if (m_code->version == UnicodeVersion::OfTokenizers && replaceNewCodePoints(text, replaced))
        text = replaced;
    std::vector<ByteSpan> matches;
    Search search(m_code->handle.get(), text);
    for (std::size_t at = 0; at <= text.size();) {
        const std::optional<ByteSpan> match = search.from(at);
        if (!match)
            break;
        if (matches.size() % kMatchesAtOnce == 0)
            TimeLimit::check();
        if (match->empty() && !matches.empty() && matches.back().end == match->end) {
            at = match->end < text.size() ? match->end + utf8Length(text[match->end]) : text.size() + 1;
            continue;
        }
        matches.push_back(*match);
        at = match->end;
    }
    return matches;
}

}  // namespace hs::text
