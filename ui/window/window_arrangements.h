#pragma once

#include <QObject>

#include <functional>
#include <vector>

class QAction;
class QMenu;
class QSettings;

namespace hs::window {

/// Fills a menu with named arrangements of the window: those of the program, then the user's own, which are
/// kept in the settings.
class WindowArrangements : public QObject {
    Q_OBJECT

public:
    struct Fixed {
        QString title;
        std::function<void()> choose;
    };
    struct Own {
        std::function<QByteArray()> save;
        std::function<void(const QByteArray&)> restore;
    };

    WindowArrangements(QSettings& settings, QMenu& menu, const std::vector<Fixed>& fixed, Own own);

    QStringList names() const;  // of the user's own
    /// Replaces an own one of that name; a name that the program uses gets a number.
    void save(const QString& name);
    void remove(const QString& name);

private:
    void askForName();
    void store(const QVariantMap& states);
    void showNames();

    QSettings& m_settings;
    QMenu& m_menu;
    Own m_own;
    QStringList m_fixed;  // names
    QAction* m_end;       // the user's own stand before it
    QMenu* m_removing;
    QList<QAction*> m_entries;  // the user's own
};

}  // namespace hs::window
