#include "app/training/corpus_text.h"

#include "app/support/messages.h"
#include "app/training/training_data.h"
#include "base/failure.h"
#include "train/text_rows.h"

#include <algorithm>

namespace hs::app {

CorpusText corpusText(const engine::Workspace& workspace, const std::string& file, int length,
                      std::int64_t mostTokens, bool hasFirst)
{
    if (!workspace.tokenizer)
        fail(ErrorCode::NotFound, "This model's folder has no tokenizer; put its tokenizer.json there.");
    ProgressLine progress("Tokenising");
    const auto tokens = std::make_shared<const std::vector<std::int32_t>>(
        train::encodeTextFile(file, *workspace.tokenizer, {progress.callback(), interruptToken()}));
    const std::optional<std::int64_t> first = hasFirst ? startOfText(*workspace.tokenizer) : std::nullopt;
    length = std::min(length, workspace.model->spec().context);
    const std::int64_t taken = length - (first ? 1 : 0);
    const std::int64_t count = std::min(static_cast<std::int64_t>(tokens->size()), mostTokens);
    return {(count + taken - 1) / taken, length, [=](std::int64_t number) {
                std::vector<std::int64_t> row;
                if (first)
                    row.push_back(*first);
                const auto begin = tokens->begin() + number * taken;
                row.insert(row.end(), begin, begin + std::min(taken, count - number * taken));
                return row;
            }};
}

}  // namespace hs::app
