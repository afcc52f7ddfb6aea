#pragma once

#include "base/hooks.h"
#include "text/tokenizer.h"
#include "train/row_batches.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hs::train {

struct TextRowOptions {
    int length = 256;             // tokens per row, the first token included
    std::int64_t vocabulary = 0;  // tokens that the model knows
    std::uint64_t seed = 0;
    std::optional<std::int64_t> firstToken;  // put before each row
    double heldOutShare = 0.05;              // of the stream, at its end; at least one row, at most half
    int heldOutRows = 128;                   // at most; they share no token
    std::string file = "The text";           // begins an error's sentence
    std::string name = "text";               // of the group
};

/// Rows of a stream of tokens, which start anywhere in it. Training takes them from the stream's beginning
/// and never reads a token of its held-out end.
class TextRows : public RowSource {
public:
    using Stream = std::shared_ptr<const std::vector<std::int32_t>>;

    /// Throws Failure if the stream is too short or does not fit the model.
    TextRows(Stream stream, TextRowOptions options);

    std::string name() const override { return m_options.name; }
    std::vector<std::int64_t> training(std::int64_t row) const override;
    std::int64_t heldOutRows() const override;
    std::vector<std::int64_t> heldOut(std::int64_t row) const override;
    std::vector<std::vector<std::int64_t>> longerHeldOut(int length) const override;

    /// How many tokens at the stream's beginning training rows are taken from.
    std::int64_t trainingTokens() const { return m_trainingTokens; }

private:
    void checkOptions() const;
    void checkIds() const;
    std::vector<std::int64_t> rowFrom(std::int64_t start) const;

    Stream m_stream;
    TextRowOptions m_options;
    std::int64_t m_taken = 0;  // tokens of the stream in a row
    std::int64_t m_trainingTokens = 0;
};

/// The tokens of a text file, without special ones. Throws Failure.
std::vector<std::int32_t> encodeTextFile(const std::filesystem::path& file, const text::Tokenizer& tokenizer,
                                         const Hooks& hooks = {});

}  // namespace hs::train
