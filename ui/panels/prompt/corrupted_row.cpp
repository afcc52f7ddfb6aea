#include "panels/prompt/corrupted_row.h"

#include "panels/prompt/user_text.h"
#include "panels/widgets/panel_style.h"
#include "panels/widgets/shown_tokens.h"

#include <QHBoxLayout>
#include <QLabel>

#include <algorithm>

namespace hs::panels {
namespace {

constexpr int kLongestCounted = 20'000;  // characters; longer prompts are not counted here

/// None if it cannot be determined at once.
std::optional<std::size_t> countTokens(const control::SideRun& run, const QString& text)
{
    const auto& tokenizer = run.request.model->tokenizer;
    if (!tokenizer || text.size() > kLongestCounted)
        return std::nullopt;
    const auto encoding = tokenizer->encode(text.toStdString(), false);
    return encoding ? std::optional(encoding->ids.size()) : std::nullopt;
}

}  // namespace

CorruptedRow::CorruptedRow(control::Explorer& explorer, QWidget* parent)
    : PromptLine(
          explorer,
          {QStringLiteral("corrupted"), tr("Corrupted"), tr("Corrupted prompt"),
           tr("Type the prompt again with the word changed that the answer hangs on: as many tokens"),
           tr("Patched heads have the outputs they have on this prompt, and a circuit is what carries the "
              "difference between the two.\nIt needs as many tokens as the prompt and should end in the same "
              "one."),
           tr("Change corrupted prompt")},
          [](const control::Document& document) { return document.corrupted; },
          [](control::Document& document, const QString& text) { document.corrupted = text; }, parent),
      m_count(new QLabel(this))
{
    m_count->setObjectName(QStringLiteral("corruptedCount"));
    m_count->setTextFormat(Qt::PlainText);
    row().addWidget(m_count);
    connect(&explorer, &control::Explorer::documentChanged, this, &CorruptedRow::showCount);
    connect(&explorer, &control::Explorer::stateChanged, this, &CorruptedRow::showCount);
    showCount();
}

bool CorruptedRow::isNeeded() const
{
    const control::Document& document = explorer().document();
    const auto isPatched = [](const auto& entry) { return entry.second.isPatched(); };
    return !document.corrupted.isEmpty() || document.tool.kind == engine::HeadAblation::Kind::Replace ||
           std::any_of(kSides.begin(), kSides.end(), [&](Side side) {
               const auto& ablations = document.side(side).ablations;
               return std::any_of(ablations.begin(), ablations.end(), isPatched);
           });
}

void CorruptedRow::showCount()
{
    const control::Document& document = explorer().document();
    const auto run = tokenRun(explorer());
    const auto corrupted = run && !document.corrupted.isEmpty() ? countTokens(*run, document.corrupted)
                                                                : std::optional<std::size_t>();
    const auto clean = corrupted && document.prompt().tokenIds.isEmpty()
                           ? countTokens(*run, userText(document.prompt()))
                           : std::nullopt;
    const bool isWrong = clean && corrupted != clean;
    m_count->setText(!corrupted ? QString()
                     : isWrong  ? tr("%1 tokens, the prompt has %2").arg(*corrupted).arg(*clean)
                                : tr("%1 tokens").arg(*corrupted));
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, isWrong ? markColour(palette()) : quietInk(palette()));
    m_count->setPalette(colours);
}

}  // namespace hs::panels
