// What stands where on the start page, and its words.
#include "control/work/late_work.h"
#include "panels/widgets/flow_layout.h"
#include "panels/widgets/panel_style.h"
#include "panels/widgets/panel_widgets.h"
#include "start/model_row_delegate.h"
#include "start/start_page.h"

#include <QFileInfo>
#include <QLabel>
#include <QListView>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace hs::start {
namespace {

constexpr int kMargin = 24;
constexpr int kWidestColumn = 96;  // letters
constexpr double kTitleSize = 1.3;

/// A box with a bar in the colour of marks at its left.
class MarkedBox : public QWidget {
public:
    using QWidget::QWidget;

protected:
    void paintEvent(QPaintEvent*) override
    {
        static constexpr int kBar = 3;
        QPainter painter(this);
        painter.fillRect(rect(), palette().color(QPalette::AlternateBase));
        painter.fillRect(0, 0, kBar, height(), panels::markColour(palette()));
    }
};

}  // namespace

void StartPage::compose()
{
    m_list = new QListView;
    m_list->setObjectName(QStringLiteral("modelList"));
    m_list->setAccessibleName(tr("Models"));
    m_list->setModel(m_rows);
    m_delegate = new ModelRowDelegate(*m_list);
    m_list->setItemDelegate(m_delegate);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setMouseTracking(true);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setResizeMode(QListView::Adjust);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);

    auto* const content = new QWidget;
    content->setMaximumWidth(kWidestColumn * fontMetrics().averageCharWidth());
    auto* const column = new QVBoxLayout(content);
    column->setContentsMargins({});
    column->setSpacing(10);
    column->addWidget(newHead());
    column->addWidget(m_problemBox = newProblemBox());
    column->addWidget(m_list, 1);
    column->addWidget(newFoot());
    auto* const row = new QHBoxLayout(this);
    row->setContentsMargins(kMargin, kMargin / 2, kMargin, kMargin / 2);
    row->addStretch(1);
    row->addWidget(content, 1000);
    row->addStretch(1);
}

QWidget* StartPage::newHead()
{
    auto* const head = new QWidget;
    m_title = panels::newHeading(head, QStringLiteral("startTitle"));
    QFont large = m_title->font();
    large.setPointSizeF(kTitleSize * large.pointSizeF());
    m_title->setFont(large);
    m_hint = panels::newQuietLabel(head, QStringLiteral("startHint"));
    m_close = new QToolButton;
    m_close->setText(QStringLiteral("✕"));
    m_close->setAutoRaise(true);
    m_close->setToolTip(tr("Back to the grids (Escape)"));
    m_close->setAccessibleName(tr("Close the start page"));
    connect(m_close, &QToolButton::clicked, this, &StartPage::leave);
    auto* const row = new QHBoxLayout;
    row->addWidget(m_title, 1);
    row->addWidget(m_close, 0, Qt::AlignTop);
    auto* const column = new QVBoxLayout(head);
    column->setContentsMargins(10, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(row);
    column->addWidget(m_hint);
    return head;
}

QWidget* StartPage::newProblemBox()
{
    auto* const box = new MarkedBox;
    m_problem = new QLabel;
    m_problem->setObjectName(QStringLiteral("startProblem"));
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* const retry = new QPushButton(tr("&Try again"));
    retry->setObjectName(QStringLiteral("retryModel"));
    connect(retry, &QPushButton::clicked, &m_explorer, &control::Explorer::rerun);
    auto* const help = new QPushButton(tr("What a &message means"));
    connect(help, &QPushButton::clicked, this,
            [this] { Q_EMIT guideWanted(QStringLiteral("troubleshooting.md")); });
    auto* const buttons = new QHBoxLayout;
    buttons->addWidget(retry);
    buttons->addWidget(help);
    buttons->addStretch(1);
    auto* const column = new QVBoxLayout(box);
    column->setContentsMargins(14, 10, 10, 10);
    column->addWidget(m_problem);
    column->addLayout(buttons);
    return box;
}

QWidget* StartPage::newFoot()
{
    auto* const foot = new QWidget;
    auto* const row = new panels::FlowLayout(6);
    auto* const indented = new QVBoxLayout(foot);
    indented->setContentsMargins(10, 0, 0, 0);
    indented->addLayout(row);
    const auto add = [&](const QString& text, void (StartPage::*wanted)(Side)) {
        auto* const button = new QPushButton(text);
        connect(button, &QPushButton::clicked, this, [this, wanted] { Q_EMIT(this->*wanted)(target()); });
        row->addWidget(button);
    };
    add(tr("&Folder…"), &StartPage::folderWanted);
    add(tr("F&ile…"), &StartPage::fileWanted);
    add(tr("By &name…"), &StartPage::nameWanted);
    add(tr("On another &machine…"), &StartPage::farWanted);
    auto* const guide = new QPushButton(tr("How to &get a model"));
    connect(guide, &QPushButton::clicked, this,
            [this] { Q_EMIT guideWanted(QStringLiteral("own-models.md")); });
    row->addWidget(guide);
    return foot;
}

void StartPage::showWords()
{
    const QString failed = problem();
    m_problemBox->setVisible(!failed.isEmpty());
    m_problem->setText(failed);
    m_problem->setAccessibleName(failed);
    m_close->setVisible(m_isAsked);
    if (failed.isEmpty()) {
        m_title->setText(tr("Open a model"));
    } else {
        const QString source = m_explorer.document().side(target()).model;
        const QString name = QFileInfo(source).fileName();
        m_title->setText(tr("%1 could not be opened").arg(name.isEmpty() ? source : name));
    }
    const QString where = target() == Side::Left ? tr("left") : tr("right");
    QString hint = tr("A click or Enter opens a model on the %1, L and R on either side. Or drop a model's "
                      "folder anywhere in this window.")
                       .arg(where);
    if (m_rows->rowCount() == 0 && !m_work->isDone())
        hint += QLatin1Char(' ') + tr("Looking for models on this computer …");
    m_hint->setText(hint);
    m_list->setAccessibleDescription(hint);
}

}  // namespace hs::start
