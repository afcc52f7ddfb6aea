#include "app/report/text_reports.h"

#include "app/support/messages.h"
#include "app/support/workspace.h"
#include "base/failure.h"
#include "base/text_format.h"
#include "text/token_ids.h"
#include "train/model_measure.h"
#include "train/sampler.h"
#include "train/text_rows.h"

#include <algorithm>

namespace hs::app {
namespace {

std::vector<std::int32_t> narrowed(const std::vector<std::int64_t>& ids)
{
    return {ids.begin(), ids.end()};
}

ReportText givenText(ReportModels& models, const PromptArguments& given)
{
    if (!given.tokens.empty())
        return {{narrowed(orThrow(text::parseTokenIds(given.tokens))), 0}, "the given tokens"};
    const text::Tokenizer* const tokenizer = models.tokenizer();
    if (!tokenizer)
        fail(ErrorCode::NotFound, "Neither model's folder has a tokenizer, which a text needs; put their "
                                  "tokenizer.json there, or give --tokens.");
    if (!given.textFile.empty() && given.textFile != "-") {
        ProgressLine progress("Kilobyte");
        return {
            {train::encodeTextFile(given.textFile, *tokenizer, {progress.callback(), interruptToken()}), 0},
            given.textFile};
    }
    if (given.isChat())
        fail(ErrorCode::BadRequest,
             "A report is about passages of a text, and a chat has none; give --data FILE.");
    const std::string text = promptText(given);
    return {{narrowed(orThrow(tokenizer->encode(text, /*addSpecial=*/false)).ids), 0}, "the given text"};
}

ReportText ownText(ReportModels& models, const ReportOptions& options)
{
    const std::optional<std::int64_t> first = models.firstToken();
    if (!first)
        fail(ErrorCode::BadRequest, models[0].name() +
                                        " has no token that starts a text, so it cannot write one to be "
                                        "judged on; give --data FILE.");
    const std::shared_ptr<const engine::Model> writer = models[0].workspace.model;
    train::SampleRange range;
    range.length = std::min(models.context(), 1 + *std::ranges::max_element(train::kPassageLengths));
    range.count = options.passages;
    range.firstToken = *first;
    range.seed = options.seed;
    const model::DType computedIn =
        writer->facts().device.isCuda() ? writer->facts().dtype : model::DType::F32;
    ProgressLine progress("Document");
    const std::vector<std::int32_t> drawn =
        train::Sampler(writer, computedIn).draw(range, {progress.callback(), interruptToken()});
    train::MeasuredText text;
    text.document = range.length - 1;
    for (auto begin = drawn.begin(); begin != drawn.end(); begin += range.length)
        text.tokens.insert(text.tokens.end(), begin + 1, begin + range.length);
    return {std::move(text), "written by " + models[0].name() + ", seed " + std::to_string(options.seed)};
}

/// How many heads and layers a measure is about, and on what.
train::GatedModel gated(ReportedModel& model)
{
    return {*model.workspace.model, model.gate ? std::optional(model.gate->bias) : std::nullopt};
}

}  // namespace

ReportText reportText(ReportModels& models, const ReportOptions& options)
{
    ReportText found = options.text.isGiven() ? givenText(models, options.text) : ownText(models, options);
    for (const std::int32_t id : found.text.tokens)
        if (id < 0 || id >= models.vocabulary())
            fail(ErrorCode::BadRequest, "The text has token " + std::to_string(id) +
                                            ", but the models have " + formatCount(models.vocabulary()) +
                                            "; use the tokenizer that belongs to them.");
    return found;
}

std::vector<train::TextReport> measureText(ReportModels& models, const train::MeasuredText& text,
                                           const ReportOptions& options)
{
    std::vector<std::optional<std::int64_t>> beginnings;
    if (const auto first = models.firstToken(); first && !options.text.withoutBos)
        beginnings.push_back(first);
    beginnings.push_back(std::nullopt);
    std::vector<train::TextReport> reports;
    for (const std::optional<std::int64_t>& first : beginnings)
        for (const int length : train::passageLengths(text, models.context(), beginnings.size() > 1)) {
            const train::HeldOutBatch held = train::passagesOf(text, length, options.passages, first);
            ProgressLine progress("Passage of " + std::to_string(held.batch.length) + " tokens");
            train::TextReport report;
            report.firstToken = first ? models.tokenText(*first) : std::string();
            report.length = held.batch.length;
            report.passages = held.batch.rows;
            report.measure = orThrow(train::measurePair(gated(models[0]), gated(models[1]), {held},
                                                        {progress.callback(), interruptToken()}));
            reports.push_back(std::move(report));
        }
    return reports;
}

}  // namespace hs::app
