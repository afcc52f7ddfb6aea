#include "features/train/coder_card.h"

#include "base/text_format.h"
#include "train/card_text.h"

namespace hs::features {
namespace {

using train::cardNumber;
using train::cardPercent;

std::string coderTable(const CoderMeasure& measure)
{
    std::string table = "| layer | unexplained variance | features that fire | features that never do |\n"
                        "| --- | --- | --- | --- |\n";
    for (std::size_t layer = 0; layer < measure.fvu.size(); ++layer)
        table += "| " + std::to_string(layer) + " | " + cardPercent(measure.fvu[layer]) + " | " +
                 cardNumber(measure.l0[layer]) + " | " + formatCount(measure.dead[layer]) + " |\n";
    return table + "\n";
}

}  // namespace

std::string coderReadme(const CoderJob& job, const CoderOutcome& outcome)
{
    const CoderOptions& coders = job.coders;
    const CoderMeasure& measure = outcome.measure;
    const std::string name = train::markdownText(job.model->facts().name);
    return train::cardFrontMatter(job.model->facts().name, "transcoders") + "# Transcoders of " + name +
           "\n\nTrained by `headscope transcode`. In each layer " + formatCount(coders.features) +
           " features read what the MLP reads, and together they write what it adds to the stream" +
           (coders.crossesLayers ? ", in this layer and all later ones" : "") +
           ". The files are in circuit-tracer's layout.\n\n## What was measured\n\nOn rows that they were "
           "not "
           "trained on, without the first position:\n\n" +
           coderTable(measure) + "- loss of the model: " + cardNumber(measure.loss) +
           " nats a token; with all MLPs replaced: " + cardNumber(measure.replacedLoss) + " (KL " +
           cardNumber(measure.divergence) + ", the same token likeliest after " +
           cardPercent(measure.agreement) +
           " of tokens)\n\n## Recipe\n\n- data: " + train::markdownText(job.dataInWords) +
           "\n- steps: " + formatCount(outcome.steps) + ", about " + formatCount(outcome.tokens) +
           " tokens\n- features that fire at a position: " + formatCount(coders.k) +
           (coders.firing == Firing::TopK ? " a layer (TopK)"
                                          : " a layer on average (BatchTopK, then JumpReLU)") +
           "\n- highest learning rate: " + cardNumber(job.options.rate) +
           "\n- seed: " + std::to_string(job.options.seed) + "\n- program: headscope " HS_VERSION "\n";
}

void writeCoderReadme(const CoderJob& job, const CoderOutcome& outcome)
{
    train::writeCard(job.out, coderReadme(job, outcome));
}

}  // namespace hs::features
