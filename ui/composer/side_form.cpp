#include "composer/side_form.h"

#include "composer/preset_uses.h"
#include "control/figures/figure_runs.h"
#include "panels/widgets/shown_tokens.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QSignalBlocker>

namespace hs::composer {
namespace {

constexpr int kMostHeads = 9999;

}  // namespace

SideForm::SideForm(control::Explorer& explorer, Side side, QWidget* parent)
    : SpecForm(explorer, QString(), parent), m_side(side)
{
    setObjectName(side == Side::Left ? QStringLiteral("leftForm") : QStringLiteral("rightForm"));
    const std::size_t index = indexOf(side);
    addSwitch({"isShown", tr("Show this model"), tr("A figure may show one model alone")},
              [index](auto& spec) -> auto& { return spec.sides[index].isShown; });
    m_title = addText({"title", tr("Title"), tr("Empty: the model's own")}, QString(),
                      [index](auto& spec) -> auto& { return spec.sides[index].title; });
    addOneHead();
    addMatrix();
    addList();
    addSwitch({"hasOnlyActive", tr("Only active heads"),
               tr("Heads without a weight above the threshold are left out"), usedBy(FigureKnob::OnlyActive)},
              [index](auto& spec) -> auto& { return spec.sides[index].hasOnlyActive; });
    addResult();
    connect(&explorer, &control::Explorer::stateChanged, this, &SideForm::showModel);
    connect(&explorer.figures(), &control::FigureRuns::changed, this, &SideForm::listHeads);
    showModel();
    refresh();
}

HeadShape SideForm::shape()
{
    const auto& model = explorer().state(m_side).model;
    return model ? model->heads : HeadShape{};
}

void SideForm::addMatrix()
{
    const SpecForm::Uses hasHeads = usedBy(FigureKnob::Heads);
    const auto isMatrix = [this, hasHeads](const control::FigureSpec& spec) {
        return hasHeads(spec) && grid(spec).form == control::GridChoice::Form::Matrix;
    };
    const std::size_t index = indexOf(m_side);
    addChoice<control::GridChoice::Form>(
        {"form", tr("Heads"), tr("Layers and heads in their places, or one after another"), hasHeads},
        {{tr("Layers × heads"), control::GridChoice::Form::Matrix},
         {tr("List, wrapped"), control::GridChoice::Form::List}},
        [index](auto& spec) -> auto& { return spec.sides[index].grid.form; });
    addNumber({"layerStep", tr("Layer step"), tr("Every n-th layer, from the first one on"), isMatrix},
              {1, 999, 1, 0}, [index](auto& spec) -> auto& { return spec.sides[index].grid.layerStep; });
    addNumber({"firstHead", tr("First head"), tr("Of each layer"), isMatrix}, {0, kMostHeads, 1, 0},
              [index](auto& spec) -> auto& { return spec.sides[index].grid.firstHead; });
    addNumber({"lastHead", tr("Last head"), tr("Of each layer"), isMatrix},
              {-1, kMostHeads, 1, 0, {}, tr("last")},
              [index](auto& spec) -> auto& { return spec.sides[index].grid.lastHead; });
}

void SideForm::addOneHead()
{
    m_oneHead = addIndex(
        {"oneHead", tr("Head"), tr("The head that is drawn large"), usedBy(FigureKnob::OneHead)}, {},
        [this](const control::FigureSpec& spec) {
            const std::vector<HeadId>& list = grid(spec).list;
            return list.empty() ? 0 : shape().contains(list.front()) ? shape().indexOf(list.front()) + 1 : -1;
        },
        [this](control::FigureSpec& spec, int index) {
            grid(spec).list.clear();
            if (index > 0)
                grid(spec).list.push_back(shape().at(index - 1));
        });
}

void SideForm::showModel()
{
    m_title->setPlaceholderText(panels::sideTitle(explorer(), m_side));
    listChoices();
    listHeads();
}

void SideForm::listChoices()
{
    const std::vector<HeadId> heads = shape().all();
    if (m_oneHead->count() == static_cast<int>(heads.size()) + 1)
        return;
    const QSignalBlocker blocker(m_oneHead);
    m_oneHead->clear();
    m_oneHead->addItem(tr("Automatic"));
    for (const HeadId head : heads)
        m_oneHead->addItem(QString::fromStdString(toString(head)));
    refresh();
}

}  // namespace hs::composer
