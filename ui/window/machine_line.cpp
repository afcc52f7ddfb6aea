#include "window/machine_line.h"

#include "window/plain_tool_tip.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace hs::window {
namespace {

using Kind = remote::Connection::State::Kind;

constexpr int kSecond = 1000;
constexpr std::chrono::seconds kLongSilence(4);  // beats come more often

QString describe(const service::Machines::Machine& machine)
{
    const QString host = QString::fromStdString(machine.host);
    switch (machine.state.kind) {
    case Kind::Connecting: return MachineLine::tr("Connecting to %1 …").arg(host);
    case Kind::Connected: {
        const std::chrono::duration<double> silence = std::chrono::steady_clock::now() - machine.state.heard;
        return silence < kLongSilence ? QString()
                                      : MachineLine::tr("%1 has not answered for %2 s")
                                            .arg(host)
                                            .arg(std::floor(silence.count()));
    }
    case Kind::Refused: return MachineLine::tr("No line to %1").arg(host);
    case Kind::Lost: break;
    }
    const std::chrono::duration<double> left = machine.state.nextTry - std::chrono::steady_clock::now();
    const double seconds = std::max(0.0, std::ceil(left.count()));
    return seconds > 0 ? MachineLine::tr("The line to %1 is lost; next try in %2 s").arg(host).arg(seconds)
                       : MachineLine::tr("The line to %1 is lost; trying again …").arg(host);
}

}  // namespace

MachineLine::MachineLine(std::shared_ptr<service::Machines> machines, QWidget* parent)
    : QWidget(parent), m_machines(std::move(machines)), m_text(new QLabel), m_retry(new QToolButton)
{
    setObjectName(QStringLiteral("machineLine"));
    m_text->setTextFormat(Qt::PlainText);
    m_retry->setText(tr("Try now"));
    m_retry->setAutoRaise(true);
    auto* const row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_text);
    row->addWidget(m_retry);
    connect(m_retry, &QToolButton::clicked, this, [this] { m_machines->retryNow(); });
    m_tick.setInterval(kSecond);
    connect(&m_tick, &QTimer::timeout, this, &MachineLine::refresh);
    m_machines->onChange([this](const service::Machines::Machine&) {
        QMetaObject::invokeMethod(this, &MachineLine::refresh, Qt::QueuedConnection);
    });
    refresh();
}

MachineLine::~MachineLine()
{
    m_machines->onChange({});
}

void MachineLine::refresh()
{
    QStringList texts;
    QStringList reasons;
    bool isRefused = false;
    bool canRetry = false;
    for (const service::Machines::Machine& machine : m_machines->all()) {
        if (const QString text = describe(machine); !text.isEmpty()) {
            texts << text;
            reasons << QString::fromStdString(machine.state.text);
        }
        isRefused |= machine.state.kind == Kind::Refused;
        canRetry |= machine.state.kind == Kind::Refused || machine.state.kind == Kind::Lost;
    }
    m_text->setText(texts.join(QStringLiteral(" · ")));
    m_text->setToolTip(plainToolTip(reasons.join(QLatin1Char('\n'))));
    m_retry->setVisible(canRetry);
    setVisible(!texts.isEmpty());
    if (!m_tick.isActive() && !m_machines->all().empty())
        m_tick.start();
    if (m_wasRefused && texts.isEmpty())
        Q_EMIT cameBack();
    m_wasRefused = isRefused || (m_wasRefused && !texts.isEmpty());
}

}  // namespace hs::window
