#include "window/message_bar.h"

#include "render/figure_style.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace hs::window {
namespace {

constexpr int kNoteMilliseconds = 8000;

/// Kinds differ by sign as well as colour; the signs are in every font.
QString signOf(control::Message::Kind kind)
{
    switch (kind) {
    case control::Message::Kind::Note: return QStringLiteral("i");
    case control::Message::Kind::Warning: return QStringLiteral("!");
    case control::Message::Kind::Error: return QStringLiteral("✕");
    }
    return {};
}

QRgb colourOf(control::Message::Kind kind)
{
    switch (kind) {
    case control::Message::Kind::Note: return render::FigureStyle::kAccent;
    case control::Message::Kind::Warning: return render::FigureStyle::kSecondAccent;
    case control::Message::Kind::Error: return render::FigureStyle::kMark;
    }
    return render::FigureStyle::kAccent;
}

}  // namespace

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent), m_sign(new QLabel), m_text(new QLabel), m_action(new QToolButton)
{
    setObjectName(QStringLiteral("messageBar"));
    setAccessibleName(tr("Message"));
    auto* const row = new QHBoxLayout(this);
    row->setContentsMargins(12, 6, 8, 6);
    row->setSpacing(8);
    QFont bold = m_sign->font();
    bold.setBold(true);
    m_sign->setFont(bold);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_text->setObjectName(QStringLiteral("messageText"));
    m_action->setObjectName(QStringLiteral("messageAction"));
    m_action->setAutoRaise(true);
    auto* const close = new QToolButton;
    close->setText(QStringLiteral("✕"));
    close->setAutoRaise(true);
    close->setAccessibleName(tr("Dismiss the message"));
    close->setToolTip(tr("Dismiss"));
    row->addWidget(m_sign);
    row->addWidget(m_text, 1);
    row->addWidget(m_action);
    row->addWidget(close);
    connect(close, &QToolButton::clicked, this, &MessageBar::dismiss);
    connect(m_action, &QToolButton::clicked, this, [this] {
        const std::function<void()> act = m_act;
        dismiss();
        if (act)
            act();
    });
    m_leave.setSingleShot(true);
    connect(&m_leave, &QTimer::timeout, this, &MessageBar::dismiss);
    hide();
}

void MessageBar::show(const control::Message& message)
{
    show(message, {}, {});
}

void MessageBar::show(const control::Message& message, const QString& action, std::function<void()> act)
{
    const QColor colour = QColor::fromRgb(colourOf(message.kind));
    setStyleSheet(QStringLiteral("#messageBar { border: none; border-left: 3px solid %1; background: %2; }")
                      .arg(colour.name(), palette().color(QPalette::Base).name()));
    m_sign->setText(signOf(message.kind));
    m_text->setText(message.text);
    m_text->setToolTip(message.detail);
    m_action->setText(action);
    m_action->setVisible(!action.isEmpty());
    m_act = std::move(act);
    setAccessibleDescription(message.text);
    QWidget::show();
    if (message.kind == control::Message::Kind::Note && action.isEmpty())
        m_leave.start(kNoteMilliseconds);
    else
        m_leave.stop();
}

void MessageBar::dismiss()
{
    m_leave.stop();
    m_act = {};
    hide();
}

void MessageBar::withdraw(const QString& text)
{
    if (!text.isEmpty() && this->text() == text)
        dismiss();
}

QString MessageBar::text() const
{
    return isHidden() ? QString() : m_text->text();
}

}  // namespace hs::window
