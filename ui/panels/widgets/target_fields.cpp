#include "panels/widgets/target_fields.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>

namespace hs::panels {
namespace {

constexpr int kTargetPause = 250;

}  // namespace

TargetFields::TargetFields(control::Explorer& explorer, QWidget* parent)
    : QWidget(parent), m_explorer(explorer), m_target(new QLineEdit(this)), m_distractor(new QLineEdit(this))
{
    m_pause.setSingleShot(true);
    m_pause.setInterval(kTargetPause);
    compose();
    connect(&m_pause, &QTimer::timeout, this, &TargetFields::commit);
    connect(&m_explorer, &control::Explorer::documentChanged, this, &TargetFields::showDocument);
    showDocument();
}

void TargetFields::compose()
{
    m_target->setObjectName(QStringLiteral("targetEdit"));
    m_target->setAccessibleName(tr("Target token"));
    m_target->setPlaceholderText(tr("token"));
    m_distractor->setObjectName(QStringLiteral("distractorEdit"));
    m_distractor->setAccessibleName(tr("Distractor token"));
    m_distractor->setPlaceholderText(tr("token"));
    for (QLineEdit* const line : {m_target, m_distractor}) {
        connect(line, &QLineEdit::textEdited, this, [this] {
            if (m_explorer.preferences().runsAsYouType)
                m_pause.start();
        });
        connect(line, &QLineEdit::returnPressed, this, &TargetFields::finish);
        // Queued: undo may take the focus before the field shows the undone text.
        connect(line, &QLineEdit::editingFinished, this, &TargetFields::finish, Qt::QueuedConnection);
    }
    auto* const lines = new QHBoxLayout(this);
    lines->setContentsMargins({});
    lines->setSpacing(8);
    for (const auto& [name, line] :
         {std::pair(tr("&Target"), m_target), std::pair(tr("&against"), m_distractor)}) {
        auto* const label = new QLabel(name, this);
        label->setBuddy(line);
        lines->addWidget(label);
        lines->addWidget(line, 1);
    }
}

void TargetFields::commit()
{
    m_pause.stop();
    const QString target = m_target->text();
    const QString distractor = m_distractor->text();
    m_shownTarget = target;
    m_shownDistractor = distractor;
    m_explorer.edit(
        tr("Watch tokens"),
        [&](control::Document& document) {
            document.target = target;
            document.distractor = distractor;
        },
        QStringLiteral("watched-%1").arg(m_typing));
}

void TargetFields::finish()
{
    commit();
    ++m_typing;
}

/// Keeps what is being typed, unless the document itself has changed elsewhere.
void TargetFields::showDocument()
{
    const auto show = [](QLineEdit& line, QString& shown, const QString& text) {
        if (text == shown)
            return;
        shown = text;
        if (line.text() != text)
            line.setText(text);
    };
    show(*m_target, m_shownTarget, m_explorer.document().target);
    show(*m_distractor, m_shownDistractor, m_explorer.document().distractor);
}

}  // namespace hs::panels
