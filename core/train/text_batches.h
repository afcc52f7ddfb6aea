#pragma once

#include "base/hooks.h"
#include "text/tokenizer.h"
#include "train/batch.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hs::train {

enum class TextForm {
    Running,    // one long text: a row starts anywhere in it
    Documents,  // texts of `length` tokens each, one after another: a row is a whole text
};

struct TextBatchOptions {
    TextForm form = TextForm::Running;
    int rows = 16;
    int length = 256;             // tokens per row, <bos> included
    std::int64_t vocabulary = 0;  // tokens that the model knows
    std::uint64_t seed = 0;
    std::optional<std::int64_t> bos;  // put before each row of a running text; documents have their own
    double heldOutShare = 0.05;       // of the stream, at its end; at least one row, at most half
    int heldOutRows = 128;            // at most; they share no token
    std::string name = "The text";    // begins an error's sentence
};

/// Rows of a stream of tokens, all of the same length. Training takes them from the stream's
/// beginning and never reads a token of its held-out end.
class TextBatches : public BatchSource {
public:
    using Stream = std::shared_ptr<const std::vector<std::int32_t>>;

    /// Throws Failure if the stream is too short or does not fit the model.
    TextBatches(Stream stream, TextBatchOptions options);

    std::vector<std::string> groups() const override;
    Batch training(std::int64_t step) const override;
    std::vector<HeldOutBatch> heldOut() const override;
    std::vector<HeldOutBatch> longerHeldOut(int length) const override;

    /// How many tokens at the stream's beginning training rows are taken from.
    std::int64_t trainingTokens() const { return m_units * m_unit; }

private:
    void checkOptions() const;
    void checkIds() const;
    std::int64_t documentAt(std::int64_t row) const;
    Batch batchOf(const std::vector<std::int64_t>& starts) const;

    Stream m_stream;
    TextBatchOptions m_options;
    std::int64_t m_taken = 0;  // tokens of the stream in a row
    std::int64_t m_unit = 1;   // tokens from one possible start to the next
    std::int64_t m_units = 0;  // for training
    std::int64_t m_heldOutUnits = 0;
};

/// The tokens of a text file, without special ones. Throws Failure.
std::vector<std::int32_t> encodeTextFile(const std::filesystem::path& file, const text::Tokenizer& tokenizer,
                                         const Hooks& hooks = {});

}  // namespace hs::train
