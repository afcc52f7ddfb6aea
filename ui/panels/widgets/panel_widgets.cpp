#include "panels/widgets/panel_widgets.h"

#include <QAction>
#include <QFontMetrics>
#include <QLabel>
#include <QMenu>

namespace hs::panels {
namespace {

constexpr int kWidestEntry = 420;

}  // namespace

QLabel* newQuietLabel(QWidget* parent, const QString& name)
{
    auto* const label = new QLabel(parent);
    label->setObjectName(name);
    label->setForegroundRole(QPalette::PlaceholderText);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    return label;
}

QLabel* newHeading(QWidget* parent, const QString& name)
{
    auto* const label = new QLabel(parent);
    label->setObjectName(name);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    QFont font = label->font();
    font.setBold(true);
    label->setFont(font);
    return label;
}

void showText(QLabel& label, const QString& text)
{
    label.setText(text);
    label.setVisible(!text.isEmpty());
}

void greyOut(QWidget& widget, const QString& reason, const QString& toolTip)
{
    widget.setEnabled(reason.isEmpty());
    widget.setToolTip(reason.isEmpty() ? toolTip : reason);
    widget.setStatusTip(reason);
}

QColor mixed(const QColor& ground, const QColor& ink, double share)
{
    const auto part = [share](float from, float to) {
        return from + static_cast<float>(share) * (to - from);
    };
    return QColor::fromRgbF(part(ground.redF(), ink.redF()), part(ground.greenF(), ink.greenF()),
                            part(ground.blueF(), ink.blueF()));
}

QAction* addPlainAction(QMenu& menu, const QString& text)
{
    QString shown = menu.fontMetrics().elidedText(text.simplified(), Qt::ElideMiddle, kWidestEntry);
    shown.replace(QLatin1Char('&'), QStringLiteral("&&"));
    QAction* const action = menu.addAction(shown);
    action->setData(text);
    return action;
}

}  // namespace hs::panels
