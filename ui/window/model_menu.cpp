#include "window/model_menu.h"

#include "window/document_choices.h"

#include <QFileDialog>
#include <QInputDialog>
#include <QMenu>

namespace hs::window {

ModelMenu::ModelMenu(control::Explorer& explorer, Side side, QMenu& menu, DocumentChoices& choices)
    : QObject(&menu), m_explorer(explorer), m_side(side), m_menu(menu)
{
    QAction* const open =
        menu.addAction(tr("&Open folder…"), this, [this] { Q_EMIT openFolderRequested(m_side); });
    open->setShortcut(side == Side::Left ? QKeySequence(QKeySequence::Open)
                                         : QKeySequence(tr("Ctrl+Shift+O")));
    menu.addAction(tr("Open &file…"), this, [this] { Q_EMIT openFileRequested(m_side); });
    menu.addAction(tr("Open by &name…"), this, [this] { Q_EMIT openNameRequested(m_side); });
    m_recent = menu.addMenu(tr("Open re&cent"));
    m_recent->setObjectName(side == Side::Left ? QStringLiteral("leftRecent")
                                               : QStringLiteral("rightRecent"));
    connect(m_recent, &QMenu::aboutToShow, this, &ModelMenu::fillRecent);
    menu.addAction(tr("Add a &LoRA adapter…"), this, [this] {
        const QString folder =
            QFileDialog::getExistingDirectory(m_menu.parentWidget(), tr("Folder of a LoRA adapter"));
        if (!folder.isEmpty())
            m_explorer.addAdapter(m_side, folder);
    });
    menu.addAction(tr("Close &model"), this, [this] { m_explorer.openModel(m_side, {}); });
    menu.addAction(tr("Same model as the other &side"), this, [this] {
        m_explorer.edit(tr("Same model on both sides"), [this](control::Document& document) {
            document.side(m_side).setModel(document.side(otherSide(m_side)).model);
        });
    });
    menu.addAction(tr("The other side, &without its ablations"), this, [this] {
        m_explorer.edit(tr("Same run without ablations"), [this](control::Document& document) {
            control::SideSetup& here = document.side(m_side);
            const control::GridChoice grid = here.grid;
            here = document.side(otherSide(m_side));
            here.ablations.clear();
            here.grid = grid;
            document.alike.ablations = false;
        });
    });
    menu.addAction(tr("The other side, with the score &gate"), this, [this] {
        m_explorer.edit(tr("Same weights with the gate on"), [this](control::Document& document) {
            control::SideSetup& here = document.side(m_side);
            const control::GridChoice grid = here.grid;
            here = document.side(otherSide(m_side));
            here.gate.kind = engine::GateChoice::Kind::Score;
            here.grid = grid;
        });
    });
    menu.addSeparator();
    addGate(choices);
    menu.addSeparator();
    menu.addAction(tr("Restore &all heads"), this, [this] {
        m_explorer.edit(tr("Restore all heads"),
                        [this](control::Document& document) { document.side(m_side).ablations.clear(); });
    });
}

void ModelMenu::addGate(DocumentChoices& choices)
{
    QMenu* const menu = m_menu.addMenu(tr("Ga&te"));
    menu->setToolTipsVisible(true);
    const auto whyNot = [side = m_side](const control::Explorer& explorer) {
        return explorer.whyNoRun(side);
    };
    const auto add = [&](const QString& text, engine::GateChoice::Kind kind) {
        // A bias that was set is kept, except for "as the model was made".
        const auto chosen = [kind](const engine::GateChoice& gate) {
            return kind == engine::GateChoice::Kind::Auto ? engine::GateChoice()
                                                          : engine::GateChoice{kind, gate.bias};
        };
        choices.add(
            menu, text,
            [side = m_side, chosen](const control::Document& document) {
                return document.side(side).gate == chosen(document.side(side).gate);
            },
            [side = m_side, chosen](control::Document& document) {
                document.side(side).gate = chosen(document.side(side).gate);
            },
            {}, whyNot);
    };
    add(tr("As the model was &made"), engine::GateChoice::Kind::Auto);
    add(tr("&Off: every cell counts"), engine::GateChoice::Kind::Off);
    add(tr("&Score gate"), engine::GateChoice::Kind::Score);
    menu->addSeparator();
    choices.addAct(
        menu, tr("&Bias of the score gate…"), [this](control::Explorer&) { askForBias(); }, {}, whyNot);
}

void ModelMenu::askForBias()
{
    bool isAccepted = false;
    const auto& model = m_explorer.state(m_side).model;
    const double own = model ? model->ownGateBias.value_or(0) : 0;
    const double bias = QInputDialog::getDouble(m_menu.parentWidget(), tr("Bias of the score gate"),
                                                tr("A cell stays where its score plus this is above zero:"),
                                                m_explorer.document().side(m_side).gate.bias.value_or(own),
                                                -100, 100, 3, &isAccepted);
    if (isAccepted)
        m_explorer.edit(tr("Gate bias"), [this, bias](control::Document& document) {
            document.side(m_side).gate = {engine::GateChoice::Kind::Score, bias};
        });
}

void ModelMenu::setRecent(const QStringList& sources)
{
    m_sources = sources;
    m_recent->setEnabled(!sources.isEmpty());
}

void ModelMenu::fillRecent()
{
    m_recent->clear();
    for (const QString& source : std::as_const(m_sources))
        m_recent->addAction(source, this, [this, source] { m_explorer.openModel(m_side, source); });
}

}  // namespace hs::window
