#include "panels/inspector/inspector_side.h"

#include "panels/inspector/head_plot.h"
#include "panels/inspector/patch_picture.h"
#include "panels/widgets/ablation_names.h"
#include "panels/widgets/panel_style.h"
#include "panels/widgets/panel_widgets.h"

#include <QCheckBox>
#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace hs::panels {
namespace {

constexpr int kMarkSide = 10;
constexpr int kReadoutLines = 2;
constexpr int kPicturesBeside = 440;  // width from which a picture stands beside the map

QString nameFor(Side side, const char* part)
{
    return QStringLiteral("inspector%1%2")
        .arg(QLatin1String(part), side == Side::Left ? QLatin1String("Left") : QLatin1String("Right"));
}

}  // namespace

InspectorSide::InspectorSide(Side side, QWidget* parent)
    : QWidget(parent), m_side(side), m_mark(new QLabel(this)), m_title(new QLabel(this)),
      m_ablated(new QCheckBox(tr("Ablate"), this)), m_figures(newQuietLabel(this, nameFor(side, "Figures"))),
      m_plot(new HeadPlot(this)), m_patches(new PatchPicture(this)),
      m_pictures(new QBoxLayout(QBoxLayout::LeftToRight)), m_readout(new QLabel(this))
{
    setObjectName(nameFor(side, "Side"));
    m_title->setObjectName(nameFor(side, "Title"));
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_title->setTextFormat(Qt::PlainText);
    m_ablated->setObjectName(nameFor(side, "Ablated"));
    m_ablated->setToolTip(tr("Switch this head off in this model and run again"));
    m_plot->setObjectName(nameFor(side, "Plot"));
    m_patches->setObjectName(nameFor(side, "Patches"));
    m_readout->setObjectName(nameFor(side, "Readout"));
    m_readout->setTextFormat(Qt::PlainText);
    m_readout->setWordWrap(true);
    m_readout->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_readout->setTextInteractionFlags(Qt::TextSelectableByMouse);

    auto* const titleLine = new QHBoxLayout;
    titleLine->setSpacing(6);
    titleLine->addWidget(m_mark);
    titleLine->addWidget(m_title, 1);
    titleLine->addWidget(m_ablated);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(2);
    layout->addLayout(titleLine);
    layout->addWidget(m_figures);
    m_pictures->setSpacing(6);
    m_pictures->addWidget(m_plot, 3);
    m_pictures->addWidget(m_patches, 2);
    m_patches->hide();
    layout->addLayout(m_pictures, 1000);
    layout->addWidget(m_readout);
    layout->addStretch(1);
    connect(m_ablated, &QCheckBox::clicked, this, &InspectorSide::ablationToggled);
    applyStyle();
}

void InspectorSide::setTitle(const QString& title, bool hasSideColour)
{
    m_fullTitle = title;
    m_title->setToolTip(title);
    m_mark->setVisible(hasSideColour);
    m_ablated->setAccessibleName(tr("Ablate in %1").arg(title));
    m_plot->setAccessibleName(tr("Map of one head, %1").arg(title));
    elide();
}

void InspectorSide::setFigures(const QString& text)
{
    m_figures->setText(text);
}

void InspectorSide::setFiguresShown(bool areShown)
{
    m_figures->setVisible(areShown);
}

void InspectorSide::setReadout(const QString& text, bool isQuiet)
{
    m_readout->setForegroundRole(isQuiet ? QPalette::PlaceholderText : QPalette::WindowText);
    m_readout->setText(text);
}

void InspectorSide::setChange(const HeadChange* change)
{
    m_ablated->setChecked(change != nullptr);
    m_ablated->setText(!change                                     ? tr("Ablate")
                       : change->kind == HeadChange::Kind::Replace ? tr("Patched")
                       : !change->isWhole()                        ? tr("Cells cut")
                                                                   : tr("Ablated: %1").arg(nameOf(*change)));
}

void InspectorSide::setAblatable(bool isAblatable)
{
    m_ablated->setVisible(isAblatable);
}

void InspectorSide::setMap(const AxisLabels& tokens, const HeadMap& map, const MapColours& colours)
{
    m_plot->setTokens(tokens);
    m_plot->setMap(map, colours);
    fitPlot();
}

/// A map is never higher than wide, so that its readout is right below it.
void InspectorSide::fitPlot()
{
    m_pictures->setDirection(width() >= kPicturesBeside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_plot->setMaximumHeight(std::max(m_plot->minimumSizeHint().height(), m_plot->heightFor(width())));
}

int InspectorSide::heightBesideMap() const
{
    return m_ablated->sizeHint().height() + m_readout->minimumHeight() + 4;
}

void InspectorSide::resizeEvent(QResizeEvent*)
{
    fitPlot();
    elide();
}

void InspectorSide::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        applyStyle();
    QWidget::changeEvent(event);
}

void InspectorSide::applyStyle()
{
    QPixmap mark(QSize(kMarkSide, kMarkSide) * devicePixelRatioF());
    mark.setDevicePixelRatio(devicePixelRatioF());
    mark.fill(sideColour(m_side, palette()));
    m_mark->setPixmap(mark);
    // Reserved, so that the map does not jump when a cell is pointed at.
    m_readout->setMinimumHeight(kReadoutLines * m_readout->fontMetrics().lineSpacing() + 2);
    elide();
}

void InspectorSide::elide()
{
    m_title->setText(m_title->fontMetrics().elidedText(m_fullTitle, Qt::ElideMiddle, m_title->width()));
}

}  // namespace hs::panels
