#pragma once

#include "base/hooks.h"
#include "train/row_batches.h"
#include "train/sampler.h"

#include <map>

namespace hs::train {

struct OwnRowOptions {
    int length = 256;  // tokens of a row
    std::int64_t firstToken = 0;
    bool losesFirst = false;  // documents are drawn one token longer, if the model reads so many, and lose it
    std::int64_t rows = 0;    // in all, after which they come again in another order; 0: none comes twice
    int heldOutRows = 128;
    std::uint64_t seed = 0;
    std::string name;  // of the group
};

/// Documents that the dense model writes itself, drawn in rounds while training. The held-out ones are drawn
/// first. In memory are the rounds that a step's rows are in, at most two unless a step has more rows than a
/// round; all of them, in four bytes a token, where rows come again.
class OwnRows : public RowSource {
public:
    /// Hooks are used whenever documents are drawn. Throws Failure.
    OwnRows(std::shared_ptr<const Sampler> sampler, OwnRowOptions options, Hooks hooks);

    std::string name() const override { return m_options.name; }
    /// Once a stop is requested it leaves rows undrawn: they will not be asked for.
    void prepare(std::int64_t first, std::int64_t end) override;
    std::vector<std::int64_t> training(std::int64_t row) const override;
    std::int64_t heldOutRows() const override { return m_options.heldOutRows; }
    std::int64_t rowsPerRound() const override { return m_perRound; }
    std::vector<std::int64_t> heldOut(std::int64_t row) const override;
    /// Drawn when they are asked for.
    std::vector<std::vector<std::int64_t>> longerHeldOut(int length) const override;

    std::size_t roundsInMemory() const { return m_rounds.size(); }

private:
    using Documents = std::vector<std::int32_t>;  // [document, position]

    int documentLength(int length) const;
    Documents draw(std::int64_t first, std::int64_t count, int length, bool isHeldOut) const;
    std::vector<std::int64_t> rowOf(const Documents& documents, std::int64_t index, int length) const;

    std::shared_ptr<const Sampler> m_sampler;
    OwnRowOptions m_options;
    Hooks m_hooks;
    int m_lost;  // tokens at the beginning of a document that its row does not have
    int m_documentLength;
    std::int64_t m_perRound;  // documents
    Documents m_heldOut;
    std::map<std::int64_t, Documents> m_rounds;  // by number
};

}  // namespace hs::train
