#include "analyses/head_pages.h"
#include "base/failure.h"
#include "base/system_memory.h"
#include "base/text_format.h"
#include "base/timing.h"
#include "bench/benchmark.h"
#include "bench/benchmark_models.h"
#include "bench/products_alone_tensors.h"
#include "engine/run/prompt_batch.h"
#include "model/architectures.h"

namespace hs::bench {
namespace {

constexpr int kPageTokens = 100'000;
constexpr int kRowTokens = 128;
constexpr int kRowsOnProcessor = 48;  // all would take minutes

std::vector<Measurement> measureHeadPages(const Options& options, const Hooks& hooks)
{
    const model::ArchSpec spec = orThrow(model::readArchSpec(gpt2SmallConfig()));
    const std::shared_ptr<const engine::Model> model = orThrow(engine::randomModel(spec, 1, options.place));
    engine::RunRequest shape = benchmarkRequest(model, kRowTokens);
    shape.tf32 = options.tf32;
    shape.capture.fullMaps = true;
    const int together = engine::promptsTogether(shape);
    const ProductsAlone products(*model, kRowTokens, options.tf32, together);
    analyses::HeadPagesRequest request;
    request.run.model = model;
    request.run.tf32 = options.tf32;
    request.heads = spec.headShape().all();
    request.weights = false;
    request.rows =
        options.place.device.isCuda() ? (kPageTokens + kRowTokens - 1) / kRowTokens : kRowsOnProcessor;
    analyses::HeadPagesStudy study(request);
    products.run();  // caches and threads warm up
    double pages = 0, alone = 0;
    std::uint64_t early = 0;
    for (int row = 0; row < request.rows; ++row) {
        hooks.throwIfCancelled();
        hooks.report(row, request.rows);
        std::vector<std::int64_t> tokens = benchmarkRequest(model, kRowTokens).tokens;
        for (std::size_t at = 0; at < tokens.size(); ++at)
            tokens[at] = (tokens[at] + row * static_cast<std::int64_t>(at + 1)) % spec.vocabulary;
        pages += milliseconds([&] { study.add(row, std::move(tokens), {{}, hooks.stop}); });
        if (row % together == 0)
            alone += milliseconds([&] { products.run(); });
        if (row == request.rows / 10)
            early = residentMemory().value_or(0);
    }
    pages += milliseconds([&] {
        study.finishRows({{}, hooks.stop});
        study.pages({{}, hooks.stop});
    });
    const double share = static_cast<double>(request.rows) * kRowTokens / kPageTokens;
    const std::string over = formatCount(request.rows) + " rows of 128 tokens, 12 x 12 x 768";
    return {{"head_pages_s", pages / 1000 / share, "s",
             "pages of all heads over 100,000 tokens, by " + over + "; goal on an H200: 20"},
            {"head_pages_products_s", alone / 1000 / share, "s",
             "their matrix products alone, " + std::to_string(together) + " rows side by side"},
            {"head_pages_over_products", pages / alone, "x", ""},
            {"head_pages_memory_growth_mb",
             (static_cast<double>(residentMemory().value_or(0)) - static_cast<double>(early)) / 1e6, "MB",
             "resident memory at the end over that after a tenth of the rows; tokens that come for the first "
             "time "
             "take some"}};
}

}  // namespace

Result<std::vector<Measurement>> benchmarkHeadPages(const Options& options, const Hooks& hooks)
{
    return guarded([&] { return measureHeadPages(options, hooks); });
}

}  // namespace hs::bench
