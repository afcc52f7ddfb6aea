#include "panels/head_preset_menu.h"

#include "panels/known_circuits.h"

#include <QCoreApplication>

namespace hs {
namespace {

[[maybe_unused]] constexpr const char* kTitles[] = {
    QT_TRANSLATE_NOOP("hs::KnownCircuits", "Indirect objects"),
    QT_TRANSLATE_NOOP("hs::KnownCircuits", "Greater than"),
    QT_TRANSLATE_NOOP("hs::KnownCircuits", "Name movers"),
    QT_TRANSLATE_NOOP("hs::KnownCircuits", "Backup name movers"),
    QT_TRANSLATE_NOOP("hs::KnownCircuits", "Negative name movers"),
    QT_TRANSLATE_NOOP("hs::KnownCircuits", "S-inhibition"),
    QT_TRANSLATE_NOOP("hs::KnownCircuits", "Induction"),
    QT_TRANSLATE_NOOP("hs::KnownCircuits", "Duplicate token"),
    QT_TRANSLATE_NOOP("hs::KnownCircuits", "Previous token"),
    QT_TRANSLATE_NOOP("hs::KnownCircuits", "Attention heads")};

QString translated(const QString& title)
{
    return QCoreApplication::translate("hs::KnownCircuits", qUtf8Printable(title));
}

std::set<HeadId> headsOf(const HeadShape& shape)
{
    std::set<HeadId> heads;
    for (int index = 0; index < shape.total(); ++index)
        heads.insert(shape.at(index));
    return heads;
}

}  // namespace

HeadPresetMenu::HeadPresetMenu(Explorer& explorer, QWidget* parent) : QMenu(parent), m_explorer(explorer)
{
    setObjectName(QStringLiteral("presetMenu"));
    setToolTipsVisible(true);
    connect(this, &QMenu::aboutToShow, this, &HeadPresetMenu::fill);
}

void HeadPresetMenu::fill()
{
    clear();
    const auto& model = m_explorer.state(m_explorer.activeSide()).model;
    if (!model) {
        addAction(tr("Open a model first"))->setEnabled(false);
        return;
    }
    const HeadShape shape = model->heads;
    addAction(tr("&All heads run"), this,
              [this, shape] { m_explorer.setAblated(m_explorer.activeSide(), headsOf(shape), false); });
    addAction(tr("&No head runs"), this,
              [this, shape] { m_explorer.setAblated(m_explorer.activeSide(), headsOf(shape), true); });
    QAction* const only = addAction(tr("&Only selected heads run"), this, [this] {
        m_explorer.keepOnly(m_explorer.activeSide(), m_explorer.selection());
    });
    only->setEnabled(!m_explorer.selection().empty());
    addAction(tr("&Invert"), this, [this, shape] { invert(shape); });
    addCircuits(shape);
}

void HeadPresetMenu::addCircuits(const HeadShape& shape)
{
    bool isFirst = true;
    for (const KnownCircuit& circuit : shippedCircuits()) {
        if (!circuit.fits(shape))
            continue;
        if (isFirst)
            addSection(tr("Known circuits"));
        isFirst = false;
        QMenu* const menu = addMenu(tr("%1 (%2)").arg(translated(circuit.title), circuit.model));
        menu->setToolTipsVisible(true);
        const std::set<HeadId> heads = circuit.heads();
        menu->addAction(tr("Ablate all but this circuit"), this,
                        [this, heads] { m_explorer.keepOnly(m_explorer.activeSide(), heads); })
            ->setToolTip(circuit.source);
        menu->addAction(tr("Select this circuit"), this, [this, heads] { m_explorer.select(heads); })
            ->setToolTip(circuit.source);
        if (circuit.roles.size() < 2)
            continue;
        menu->addSection(tr("Select a part"));
        for (const CircuitRole& role : circuit.roles)
            menu->addAction(translated(role.title), this,
                            [this, part = role.heads] { m_explorer.select(part); });
    }
}

void HeadPresetMenu::invert(const HeadShape& shape)
{
    const Side side = m_explorer.activeSide();
    m_explorer.edit(tr("Invert ablation"), [&](Document& document) {
        auto& ablations = document.side(side).ablations;
        std::map<HeadId, HeadAblation::Kind> inverted;
        for (const HeadId head : headsOf(shape))
            if (!ablations.contains(head))
                inverted.emplace(head, document.tool.kind);
        ablations = std::move(inverted);
    });
}

}  // namespace hs
