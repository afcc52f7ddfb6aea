#pragma once

#include <QStringList>

class QSettings;

namespace hs::control {

/// The models opened last, for the menu; most recent first, without duplicates. Kept in the settings,
/// which belong to the caller.
class RecentModels {
public:
    static constexpr int kMost = 10;

    explicit RecentModels(QSettings& settings) : m_settings(settings) {}

    QStringList list() const;
    /// A path is kept absolute, so that it means the same next time.
    void add(const QString& source);
    void remove(const QString& source);
    void clear();

private:
    QSettings& m_settings;
};

}  // namespace hs::control
