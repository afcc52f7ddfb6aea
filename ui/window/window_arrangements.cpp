#include "window/window_arrangements.h"

#include <QInputDialog>
#include <QMenu>
#include <QSettings>

namespace hs::window {
namespace {

const QString kArrangements = QStringLiteral("window/arrangements");

QString literal(QString name)
{
    return name.replace(QLatin1Char('&'), QStringLiteral("&&"));
}

}  // namespace

WindowArrangements::WindowArrangements(QSettings& settings, QMenu& menu, const std::vector<Fixed>& fixed,
                                       Own own)
    : QObject(&menu), m_settings(settings), m_menu(menu), m_own(std::move(own))
{
    for (const Fixed& each : fixed) {
        menu.addAction(each.title, this, each.choose);
        m_fixed << QString(each.title).remove(QLatin1Char('&'));
    }
    menu.addSeparator();
    m_end = menu.addSeparator();
    menu.addAction(tr("&Save as…"), this, &WindowArrangements::askForName);
    m_removing = menu.addMenu(tr("&Remove"));
    showNames();
}

QStringList WindowArrangements::names() const
{
    return m_settings.value(kArrangements).toMap().keys();
}

void WindowArrangements::save(const QString& name)
{
    QString free = name;
    for (int number = 2; m_fixed.contains(free, Qt::CaseInsensitive); ++number)
        free = QStringLiteral("%1 %2").arg(name).arg(number);
    QVariantMap states = m_settings.value(kArrangements).toMap();
    states[free] = m_own.save();
    store(states);
}

void WindowArrangements::remove(const QString& name)
{
    QVariantMap states = m_settings.value(kArrangements).toMap();
    states.remove(name);
    store(states);
}

void WindowArrangements::store(const QVariantMap& states)
{
    m_settings.setValue(kArrangements, states);
    showNames();
}

void WindowArrangements::askForName()
{
    bool isAccepted = false;
    const QString name = QInputDialog::getItem(m_menu.parentWidget(), tr("Save the window arrangement"),
                                               tr("Name (one that is chosen from the list is replaced):"),
                                               names(), -1, true, &isAccepted)
                             .trimmed();
    if (isAccepted && !name.isEmpty())
        save(name);
}

void WindowArrangements::showNames()
{
    qDeleteAll(m_entries);
    m_entries.clear();
    m_removing->clear();
    for (const QString& name : names()) {
        auto* const entry = new QAction(literal(name), this);
        connect(entry, &QAction::triggered, this, [this, name] {
            m_own.restore(m_settings.value(kArrangements).toMap().value(name).toByteArray());
        });
        m_menu.insertAction(m_end, entry);
        m_entries << entry;
        m_removing->addAction(literal(name), this, [this, name] { remove(name); });
    }
    m_end->setVisible(!m_entries.isEmpty());
    m_removing->setEnabled(!m_entries.isEmpty());
}

}  // namespace hs::window
