#pragma once

#include "model/architectures.h"
#include "support/bytes_of.h"
#include "support/catch.h"
#include "support/models.h"
#include "support/temp_dir.h"
#include "train/batch.h"
#include "train/trainer.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace hs::test {

/// Rows that count up from a start, which is quickly learned.
class Counting : public train::BatchSource {
public:
    std::vector<std::string> groups() const override { return {"counting"}; }
    train::Batch training(std::int64_t step) const override { return rows(8, static_cast<int>(step % 5)); }
    std::vector<train::HeldOutBatch> heldOut() const override
    {
        train::HeldOutBatch heldOut{rows(4, 5), {}};
        for (int row = 0; row < 4; ++row)
            for (int position = 1; position < kLength; ++position) {
                const std::int64_t right = heldOut.batch.tokens[row * kLength + position];
                heldOut.answers.push_back({row, position, right, right});
            }
        return {heldOut};
    }

protected:
    static constexpr int kLength = 6;
    static constexpr int kWords = 12;

    static train::Batch rows(int count, int from, int length = kLength)
    {
        train::Batch batch;
        batch.rows = count;
        batch.length = length;
        batch.lengths.assign(count, length);
        batch.groups.assign(count, 0);
        for (int row = 0; row < count; ++row)
            for (int position = 0; position < length; ++position) {
                batch.tokens.push_back((from + row + position) % kWords);
                batch.weights.push_back(position + 1 < length ? 1.0f : 0.0f);
            }
        return batch;
    }
};

inline Json tinyConfig()
{
    return {{"model_type", "gpt2"}, {"n_layer", 2},     {"n_head", 2},
            {"n_embd", 16},         {"n_positions", 8}, {"vocab_size", 12}};
}

inline train::Job tinyJob(const std::filesystem::path& out)
{
    train::Job job;
    job.config = tinyConfig();
    job.spec = value(model::readArchSpec(job.config));
    job.data = std::make_shared<Counting>();
    job.options.steps = 60;
    job.options.rate = 0.01;
    job.options.warmUp = 5;
    job.options.measureEvery = 20;
    job.out = out;
    job.checkpointSeconds = 1e9;
    return job;
}

/// A model that counts, to be made sparse.
inline std::shared_ptr<const engine::Model> trained(const std::filesystem::path& out)
{
    train::Job job = tinyJob(out);
    job.options.steps = 200;
    value(train::train(job, {}, {}));
    return value(engine::loadModel(value(model::locateModel(out.string(), {})),
                                   {engine::Device{}, model::DType::F32}));
}

inline train::Job sparseJob(const std::shared_ptr<const engine::Model>& dense,
                            const std::filesystem::path& out)
{
    train::Job job = tinyJob(out);
    job.start = dense;
    job.distils = true;
    job.spec.gateBias = 0.0;
    job.options.sparsity.emplace();
    job.options.sparsity->tolerance = 0.1;
    job.options.sparsity->scoreTolerance = 0.1;
    job.options.sparsity->speed = 0.02;
    return job;
}

}  // namespace hs::test
