#include "panels/prompt/prompt_history.h"

#include <QSettings>

namespace hs::panels {
namespace {

const QString kPlace = QStringLiteral("prompt/history");

}  // namespace

void PromptHistory::keepIn(QSettings& settings)
{
    m_settings = &settings;
    m_prompts += settings.value(kPlace).toStringList();
    trim();
}

void PromptHistory::add(const QString& prompt)
{
    if (prompt.trimmed().isEmpty() || prompt.size() > kLongest)
        return;
    m_prompts.prepend(prompt);
    trim();
    if (m_settings)
        m_settings->setValue(kPlace, m_prompts);
}

void PromptHistory::trim()
{
    m_prompts.removeIf(
        [](const QString& prompt) { return prompt.trimmed().isEmpty() || prompt.size() > kLongest; });
    m_prompts.removeDuplicates();
    m_prompts = m_prompts.mid(0, kMost);
}

}  // namespace hs::panels
