#include "panels/heads/head_preset_menu.h"

#include "control/document/known_circuits.h"
#include "control/document/shown_heads.h"

namespace hs::panels {

HeadPresetMenu::HeadPresetMenu(control::Explorer& explorer, QWidget* parent)
    : QMenu(parent), m_explorer(explorer)
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
    addAction(tr("&All heads run"), this, [this, shape] {
        m_explorer.setAblated(m_explorer.activeSide(), control::allHeads(shape), false);
    });
    addAction(tr("&No head runs"), this, [this, shape] {
        m_explorer.setAblated(m_explorer.activeSide(), control::allHeads(shape), true);
    });
    QAction* const only = addAction(tr("&Only selected heads run"), this, [this] {
        m_explorer.keepOnly(m_explorer.activeSide(), m_explorer.selection(m_explorer.activeSide()));
    });
    only->setEnabled(!m_explorer.selection(m_explorer.activeSide()).empty());
    addAction(tr("&Invert"), this, [this, shape] { invert(shape); });
    addCircuits(shape);
}

void HeadPresetMenu::addCircuits(const HeadShape& shape)
{
    bool isFirst = true;
    for (const control::KnownCircuit& circuit : control::shippedCircuits()) {
        if (!circuit.fits(shape))
            continue;
        if (isFirst)
            addSection(tr("Known circuits"));
        isFirst = false;
        QMenu* const menu =
            addMenu(tr("%1 (%2)").arg(control::translatedTitle(circuit.title), circuit.model));
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
        for (const control::CircuitRole& role : circuit.roles)
            menu->addAction(control::translatedTitle(role.title), this,
                            [this, part = role.heads] { m_explorer.select(part); });
    }
}

void HeadPresetMenu::invert(const HeadShape& shape)
{
    const Side side = m_explorer.activeSide();
    m_explorer.edit(tr("Invert ablation"), [&](control::Document& document) {
        auto& ablations = document.side(side).ablations;
        std::map<HeadId, HeadChange> inverted;
        for (const HeadId head : control::allHeads(shape))
            if (!ablations.contains(head))
                inverted.emplace(head, document.tool.kind);
        ablations = std::move(inverted);
    });
}

}  // namespace hs::panels
