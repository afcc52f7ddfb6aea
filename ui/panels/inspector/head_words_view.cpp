#include "panels/inspector/head_words_view.h"

#include "control/document/token_label.h"
#include "panels/widgets/copied_commands.h"
#include "panels/widgets/panel_style.h"
#include "panels/widgets/shown_tokens.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QScrollBar>

#include <memory>

namespace hs::panels {
namespace {

constexpr auto kWords = service::AnalysisKind::HeadWords;

/// Rows of a page about one head of a model.
class WordRows {
public:
    WordRows(const service::OpenModel& model, const QPalette& palette)
        : m_model(model), m_quiet(quietInk(palette).name())
    {
    }

    void addHeading(const QString& text, const QString& note)
    {
        m_html += QStringLiteral("<tr><td colspan='2'><b>%1</b> <span style='color:%2'>%3</span></td></tr>")
                      .arg(text.toHtmlEscaped(), m_quiet, note.toHtmlEscaped());
    }
    /// The tokens with their weights; dots while they are not known.
    void addList(const QString& name, const std::vector<engine::TokenWeight>& tokens)
    {
        QStringList words;
        for (const engine::TokenWeight& token : tokens)
            words << QStringLiteral("%1&nbsp;<span style='color:%2'>%3</span>")
                         .arg(tokenName(m_model, token.token).toHtmlEscaped(), m_quiet,
                              signedNumber(token.weight, 2));
        addRow(name, words.isEmpty() ? QStringLiteral("…") : words.join(QStringLiteral("&ensp; ")));
    }
    void addRow(const QString& name, const QString& html)
    {
        m_html += QStringLiteral("<tr><td style='color:%1; padding-right:8px; white-space:nowrap'>%2</td>"
                                 "<td>%3</td></tr>")
                      .arg(m_quiet, name.toHtmlEscaped(), html);
    }
    QString html() const { return QStringLiteral("<table cellspacing='1'>%1</table>").arg(m_html); }

private:
    const service::OpenModel& m_model;
    QString m_quiet;
    QString m_html;
};

}  // namespace

HeadWordsView::HeadWordsView(control::Explorer& explorer, QWidget* parent)
    : QTextBrowser(parent), m_explorer(explorer)
{
    setObjectName(QStringLiteral("inspectorWords"));
    setAccessibleName(tr("What the head writes and looks for"));
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
    connect(&m_explorer.analyses(), &control::AnalysisRuns::changed, this,
            [this](service::AnalysisKind kind) {
                if (kind == kWords)
                    refresh();
            });
    connect(&m_explorer, &control::Explorer::stateChanged, this, &HeadWordsView::refresh);
}

void HeadWordsView::showEvent(QShowEvent* event)
{
    QTextBrowser::showEvent(event);
    m_explorer.analyses().setWatched(kWords, true, this);
    refresh();
}

void HeadWordsView::hideEvent(QHideEvent* event)
{
    m_explorer.analyses().setWatched(kWords, false, this);
    QTextBrowser::hideEvent(event);
}

void HeadWordsView::changeEvent(QEvent* event)
{
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refresh();
}

void HeadWordsView::contextMenuEvent(QContextMenuEvent* event)
{
    const std::unique_ptr<QMenu> menu(createStandardContextMenu(event->pos()));
    const Result<QString> lines = copiedCommands(m_explorer, {kWords});
    QAction* const copy =
        menu->addAction(tr("Copy as co&mmand"), this, [&] { QGuiApplication::clipboard()->setText(*lines); });
    copy->setEnabled(lines.ok());
    copy->setToolTip(lines ? *lines : QString::fromStdString(lines.error().message));
    menu->setToolTipsVisible(true);
    menu->exec(event->globalPos());
}

void HeadWordsView::refresh()
{
    if (!isVisible())
        return;
    QString html;
    for (const Side side : kSides)
        html += wordsOf(side);
    const int place = verticalScrollBar()->value();
    setHtml(html);
    verticalScrollBar()->setValue(place);
}

QString HeadWordsView::wordsOf(Side side) const
{
    const auto& model = m_explorer.state(side).model;
    if (!model)
        return {};
    const control::AnalysisState& state = m_explorer.analyses().state(kWords, side);
    const QString title =
        QStringLiteral("<p><span style='color:%1'>■</span> %2")
            .arg(sideColour(side, palette()).name(), sideTitle(m_explorer, side).toHtmlEscaped());
    const QString why = m_explorer.whyNoRun(side);
    const QString problem = why.isEmpty() ? state.problem : why;
    const bool isKnown = state.finding && !(state.isOutdated && !state.isRunning);
    if (!problem.isEmpty() || !isKnown)
        return title + QStringLiteral("<br>%1</p>")
                           .arg((problem.isEmpty() ? tr("Asking the head…") : problem).toHtmlEscaped());
    const auto& found = std::get<service::HeadWords>(*state.finding->result);
    const service::OpenModel& asked = *state.finding->request.side.model;
    const auto nameAt = [&](int position, std::int64_t token) {
        const auto& run = m_explorer.state(side).run;
        const auto place = static_cast<std::size_t>(position);
        const bool isShown = run && place < run->textTokens().size() && run->textTokens()[place].id == token;
        return isShown ? control::tokenLabel(run->textTokens()[place].text) : tokenName(asked, token);
    };
    const QString queryName = nameAt(found.onPrompt.query, found.queryToken);
    const QString keyName = nameAt(found.key, found.keyToken);
    const QString query = QStringLiteral("%1 %2").arg(queryName).arg(found.onPrompt.query);
    const QString key = QStringLiteral("%1 %2").arg(keyName).arg(found.key);
    WordRows rows(asked, palette());
    rows.addHeading(tr("Writes"), found.onPrompt.key ? tr("at %1, from %2").arg(query, key)
                                                     : tr("at %1, from all tokens").arg(query));
    rows.addList(tr("pushes"), found.onPrompt.tokens.most);
    rows.addList(tr("holds down"), found.onPrompt.tokens.least);
    rows.addHeading(QString(), tr("by its weights alone, when it reads %1").arg(keyName));
    rows.addList(tr("pushes"), found.written.most);
    rows.addList(tr("holds down"), found.written.least);
    rows.addRow(tr("copies"), found.copying ? tr("%1, from −1 to +1").arg(signedNumber(*found.copying, 2))
                                            : QStringLiteral("…"));
    const double weight = found.onPrompt.weights[static_cast<std::size_t>(found.key)];
    rows.addHeading(tr("Looks for"),
                    tr("at %1: %2 has a weight of %3").arg(query, key, formatNumber(weight, 2)));
    rows.addHeading(QString(), tr("by its weights alone, when it is at %1").arg(queryName));
    rows.addList(tr("seeks"), found.sought.most);
    rows.addList(tr("avoids"), found.sought.least);
    return title + QStringLiteral(" %1</p>").arg(QString::fromStdString(toString(found.onPrompt.head))) +
           rows.html();
}

}  // namespace hs::panels
