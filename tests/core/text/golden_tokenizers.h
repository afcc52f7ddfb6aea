#pragma once

#include "base/json.h"
#include "text/tokenizer.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace hs::test {

/// The files that tests/golden/tokenizer_ids.py writes.
inline std::filesystem::path goldenFolder()
{
    return std::filesystem::path(HS_SOURCE_DIR) / "tests" / "golden" / "tokenizers";
}

/// Names of the made-up tokenizers among them.
std::vector<std::string> goldenStyles();

Json goldenFile(const std::string& name);

/// A made-up tokenizer, loaded from a folder with its tokenizer.json.
std::shared_ptr<const text::Tokenizer> goldenTokenizer(const std::string& style);

/// The tokenizer of a tokenizer.json, given as JSON.
Result<std::shared_ptr<const text::Tokenizer>> loadTokenizer(const Json& json);

/// The texts that all golden ids are for.
std::vector<std::string> goldenTexts();

/// Whether ids are the expected ones, which are a list or the digest of one.
bool matchesGolden(const std::vector<std::int64_t>& ids, const Json& expected);

/// FNV-1a over the ids as little-endian 64-bit integers, each list closed by -1.
class IdDigest {
public:
    void add(const std::vector<std::int64_t>& ids);
    std::string hex() const;

private:
    void add(std::int64_t id);

    std::uint64_t m_value = 0xCBF29CE484222325;
};

}  // namespace hs::test
