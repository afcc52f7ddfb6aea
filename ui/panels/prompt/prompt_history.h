#pragma once

#include <QStringList>

class QSettings;

namespace hs::panels {

/// Prompts this user ran, newest first, each once; kept in the settings, if given.
class PromptHistory {
public:
    static constexpr qsizetype kMost = 50;
    static constexpr qsizetype kLongest = 32'768;  // characters; longer prompts are not kept

    /// Reads what is in the settings; they must outlive this object.
    void keepIn(QSettings& settings);

    const QStringList& prompts() const { return m_prompts; }
    void add(const QString& prompt);

private:
    void trim();

    QStringList m_prompts;
    QSettings* m_settings = nullptr;
};

}  // namespace hs::panels
