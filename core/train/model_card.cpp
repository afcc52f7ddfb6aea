#include "train/model_card.h"

#include "base/text_format.h"
#include "train/card_text.h"

namespace hs::train {
namespace {

std::string groupTable(const HeldOutMeasure& measure)
{
    std::string table =
        "| held-out rows | KL to the dense model, nats a token | score |\n| --- | --- | --- |\n";
    for (const GroupMeasure& group : measure.groups)
        table += "| " + markdownText(group.name) + " | " + cardNumber(group.divergence) + " | " +
                 (group.answers > 0 ? cardPercent(group.score) : "") + " |\n";
    return table + "\n";
}

std::string lengthTable(const std::vector<LengthMeasure>& lengths)
{
    if (lengths.empty())
        return "";
    std::string table = "| tokens of a text | active edges | KL | most heads active on one text |\n"
                        "| --- | --- | --- | --- |\n";
    for (const LengthMeasure& at : lengths)
        table += "| " + formatCount(at.length) + " | " + cardPercent(at.density) + " | " +
                 cardNumber(at.divergence) + " | " + std::to_string(at.mostHeadsActive) + " |\n";
    return table + "\n";
}

std::string measurements(const Job& job, const Outcome& outcome)
{
    const HeldOutMeasure& measure = outcome.measure;
    const SparsityOptions& sparsity = *job.options.sparsity;
    return "## What was measured\n\nOn rows that it did not learn from:\n\n- active edges: " +
           cardPercent(measure.density) +
           " of all causal cells of attention\n- KL to the dense model: " + cardNumber(measure.divergence) +
           " nats a token (tolerated: " + cardNumber(sparsity.tolerance) +
           (sparsity.constrainsWorst ? ", by the worst kind of row" : ", by the mean of all kinds of rows") +
           ", " + (outcome.meetsConstraint ? "kept" : "**not kept**") +
           ")\n- cross entropy: " + cardNumber(measure.crossEntropy) +
           (outcome.dense ? " (dense: " + cardNumber(outcome.dense->crossEntropy) + ")" : "") +
           "\n- heads ever active: " + std::to_string(measure.headsEverActive) + " of " +
           std::to_string(measure.heads) + ", at most " + std::to_string(measure.mostHeadsActive) +
           " on one row, " + cardNumber(measure.meanHeadsActive) + " on average\n\n" + groupTable(measure) +
           lengthTable(outcome.lengths);
}

std::string recipe(const Job& job, const Options& options, const Outcome& outcome)
{
    std::string text = "## Recipe\n\n- data: " + markdownText(job.names.data) + "\n";
    if (!job.names.beginnings.empty())
        text += "- how its texts begin: " + markdownText(job.names.beginnings) + "\n";
    return text + "- steps: " + formatCount(outcome.step) + " of " + formatCount(outcome.planned) +
           "\n- highest learning rate: " + cardNumber(options.rate) +
           "\n- rows a step: " + formatCount(job.rows) + " of at most " + formatCount(job.length) +
           " tokens\n- head penalty: " + cardNumber(options.sparsity->headPenalty) +
           "\n- heads silenced at the start: " + formatCount(options.sparsity->silentHeads) +
           "\n- seed: " + std::to_string(options.seed) + "\n- program: headscope " HS_VERSION "\n";
}

}  // namespace

std::string modelCard(const Job& job, const Options& options, const Outcome& outcome)
{
    return cardFrontMatter(job.names.base, "sparse-attention") + "# " + markdownText(job.names.base) +
           ", made sparse\n\nPost-trained by `headscope sparsify` so that few edges of its attention are "
           "left. A gate after the softmax lets a cell through only where its scaled score is above zero: "
           "`attention_gate` in `config.json`.\n\n" +
           measurements(job, outcome) + recipe(job, options, outcome) +
           "\n## How to use it\n\nIn HeadScope: `headscope --sparse .` in this folder, with the base "
           "model as `--dense`, or `headscope run --model . --text \"...\"`.\n\nIn transformers the weights "
           "load as they are, but without the score gate "
           "the model runs dense and is another one: register the gate as an attention implementation "
           "with the function in HeadScope's guide.\n";
}

void writeModelCard(const Job& job, const Options& options, const Outcome& outcome)
{
    writeCard(job.out, modelCard(job, options, outcome));
}

}  // namespace hs::train
