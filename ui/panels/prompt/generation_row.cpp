#include "panels/prompt/generation_row.h"

#include "control/document/generated_text.h"
#include "control/document/token_label.h"
#include "control/explorer/generation_runs.h"
#include "panels/prompt/generated_line.h"
#include "panels/prompt/generation_options.h"
#include "panels/prompt/prediction_rows.h"
#include "panels/widgets/accent_button.h"
#include "panels/widgets/panel_style.h"
#include "panels/widgets/panel_widgets.h"
#include "panels/widgets/shown_tokens.h"

#include <QGridLayout>
#include <QLabel>
#include <QResizeEvent>
#include <QSlider>
#include <QSpinBox>
#include <QVBoxLayout>

namespace hs::panels {
namespace {

constexpr int kMostGenerated = 100'000;
constexpr int kTitleLetters = 16;
constexpr int kChoiceLetters = 64;
constexpr int kRunnersUp = 3;

QString tokenInQuotes(const control::SideRun& run, std::int64_t token)
{
    return GenerationRow::tr("“%1”").arg(control::tokenLabel(control::predictedText(run, token)));
}

}  // namespace

GenerationRow::GenerationRow(control::Explorer& explorer, QWidget* parent)
    : QWidget(parent), m_explorer(explorer)
{
    setObjectName(QStringLiteral("generationRow"));
    compose();
    connectParts();
    refresh();
}

void GenerationRow::compose()
{
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 2, 0, 2);
    column->setSpacing(2);
    m_options = new GenerationOptions(m_explorer, this);
    column->addWidget(newControls());
    column->addWidget(m_options);
    auto* const lines = new QGridLayout;
    lines->setHorizontalSpacing(8);
    lines->setVerticalSpacing(0);
    lines->setColumnStretch(1, 1);
    for (const Side side : kSides) {
        const auto index = static_cast<int>(indexOf(side));
        Line& line = m_lines[indexOf(side)];
        line = {new QLabel(this), new GeneratedLine(this), new QLabel(this)};
        line.title->setObjectName(QStringLiteral("generatedTitle%1").arg(index));
        line.tokens->setObjectName(QStringLiteral("generatedLine%1").arg(index));
        line.choice->setObjectName(QStringLiteral("generatedChoice%1").arg(index));
        for (QLabel* const label : {line.title, line.choice})
            label->setTextFormat(Qt::PlainText);
        line.title->setForegroundRole(QPalette::PlaceholderText);
        lines->addWidget(line.title, index, 0);
        lines->addWidget(line.tokens, index, 1);
        lines->addWidget(line.choice, index, 2);
    }
    column->addLayout(lines);
    m_words = newQuietLabel(this, QStringLiteral("generationWords"));
    column->addWidget(m_words);
}

QWidget* GenerationRow::newControls()
{
    auto* const controls = new QWidget(this);
    auto* const row = new QHBoxLayout(controls);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    m_write = new AccentButton(controls);
    m_write->setObjectName(QStringLiteral("writeButton"));
    m_write->setAutoDefault(false);
    m_count = new QSpinBox(controls);
    m_count->setObjectName(QStringLiteral("countBox"));
    m_count->setAccessibleName(tr("Most tokens to generate"));
    m_count->setToolTip(tr("Most tokens to generate; a model may end its text before"));
    m_count->setRange(1, kMostGenerated);
    m_count->setSuffix(tr(" tokens"));
    m_more = new AccentButton(tr("Options"), controls);
    m_more->setObjectName(QStringLiteral("optionsButton"));
    m_more->setCheckable(true);
    m_more->setAutoDefault(false);
    m_more->setToolTip(tr("Temperature, top-k, seed, where to stop, from which step heads are ablated"));
    m_slider = new QSlider(Qt::Horizontal, controls);
    m_slider->setObjectName(QStringLiteral("stepSlider"));
    m_slider->setAccessibleName(tr("Step"));
    m_slider->setToolTip(tr("Look at the step that chose a token"));
    m_slider->setPageStep(5);
    m_step = new QLabel(controls);
    m_step->setObjectName(QStringLiteral("stepLabel"));
    row->addWidget(m_write);
    row->addWidget(m_count);
    row->addWidget(m_more);
    row->addSpacing(8);
    row->addWidget(m_slider, 1);
    row->addWidget(m_step);
    return controls;
}

void GenerationRow::connectParts()
{
    connect(m_write, &QPushButton::clicked, this, [this] {
        if (m_explorer.generation().isRunning())
            m_explorer.stopGenerating();
        else
            m_explorer.generate();
    });
    connect(m_count, &QSpinBox::valueChanged, this, [this](int count) {
        m_explorer.edit(
            tr("Change generation"),
            [count](control::Document& document) { document.generation.count = count; },
            QStringLiteral("count"));
    });
    connect(m_more, &QPushButton::toggled, m_options, &QWidget::setVisible);
    m_options->setVisible(m_options->isUsed());
    connect(m_slider, &QSlider::valueChanged, this, &GenerationRow::lookAt);
    for (const Line& line : m_lines)
        connect(line.tokens, &GeneratedLine::stepChosen, this, &GenerationRow::lookAt);
    connect(&m_explorer, &control::Explorer::documentChanged, this, &GenerationRow::refresh);
    connect(&m_explorer, &control::Explorer::stateChanged, this, &GenerationRow::refresh);
    connect(&m_explorer, &control::Explorer::generationChanged, this, &GenerationRow::refresh);
}

bool GenerationRow::isNeeded() const
{
    return m_explorer.generation().isRunning() || control::lastStep(m_explorer.document()) > 0;
}

void GenerationRow::takeAway()
{
    m_explorer.stopGenerating();
    m_explorer.edit(tr("Take generated text away"), [](control::Document& document) {
        for (control::SideSetup& side : document.sides)
            side.generated.clear();
        document.step.reset();
    });
}

void GenerationRow::lookAt(int step)
{
    m_explorer.edit(
        tr("Look at step %1").arg(step),
        [step](control::Document& document) {
            document.step = step < control::lastStep(document) ? std::optional(step) : std::nullopt;
        },
        QStringLiteral("step"));
}

void GenerationRow::refresh()
{
    if (!isNeeded())
        return;
    showControls();
    showLines();
    showWords();
}

void GenerationRow::showControls()
{
    const control::Document& document = m_explorer.document();
    const bool isRunning = m_explorer.generation().isRunning();
    m_write->setText(isRunning ? tr("Stop") : tr("Again"));
    m_write->setToolTip(isRunning ? tr("Stop, and keep what is written so far")
                                  : tr("Write on behind the prompt anew, with what is set now"));
    const QSignalBlocker quietCount(m_count);
    if (m_count->value() != document.generation.count)
        m_count->setValue(document.generation.count);
    if (m_options->isUsed())
        m_more->setChecked(true);
    const QSignalBlocker quietSlider(m_slider);
    m_slider->setEnabled(!isRunning);
    m_slider->setRange(0, lastStep());
    m_slider->setValue(step());
    m_step->setText(tr("step %1 of %2").arg(step()).arg(lastStep()));
    m_step->setMinimumWidth(
        m_step->fontMetrics().horizontalAdvance(tr("step %1 of %2").arg(lastStep()).arg(lastStep())));
}

int GenerationRow::lastStep() const
{
    const control::GenerationRuns& generation = m_explorer.generation();
    return generation.isRunning() ? static_cast<int>(std::max(generation.written(Side::Left).size(),
                                                              generation.written(Side::Right).size()))
                                  : control::lastStep(m_explorer.document());
}

int GenerationRow::step() const
{
    return m_explorer.generation().isRunning()
               ? lastStep()
               : std::min(m_explorer.document().step.value_or(lastStep()), lastStep());
}

std::vector<text::Token> GenerationRow::tokensOf(Side side) const
{
    const auto& model = m_explorer.state(side).model;
    if (!model)
        return {};
    const control::GenerationRuns& generation = m_explorer.generation();
    return service::generatedTokens(model->tokenizer.get(), generation.isRunning()
                                                                ? generation.written(side)
                                                                : m_explorer.document().side(side).generated);
}

void GenerationRow::showLines()
{
    const std::array<std::vector<text::Token>, 2> tokens = {tokensOf(Side::Left), tokensOf(Side::Right)};
    m_parting.reset();
    std::array<int, 2> agreed = {service::agreeingTokens(tokens[0], tokens[1]),
                                 service::agreeingTokens(tokens[1], tokens[0])};
    const bool doPart = agreed[0] < std::ssize(tokens[0]) && agreed[1] < std::ssize(tokens[1]);
    if (doPart)
        m_parting = agreed[0];
    m_areBoth = !tokens[0].empty() && !tokens[1].empty();
    const int letter = fontMetrics().averageCharWidth();
    const int room = std::min(kChoiceLetters * letter, width() * 2 / 5);
    for (const Side side : kSides) {
        const Line& line = m_lines[indexOf(side)];
        const bool isShown = !tokens[indexOf(side)].empty();
        line.title->setVisible(isShown);
        line.tokens->setVisible(isShown);
        line.choice->setVisible(isShown);
        const QString title = sideTitle(m_explorer, side);
        line.title->setText(fontMetrics().elidedText(title, Qt::ElideRight, kTitleLetters * letter));
        line.title->setToolTip(title);
        line.tokens->setAccessibleName(tr("What %1 wrote").arg(title));
        line.tokens->showTokens(tokens[indexOf(side)], step(), doPart ? agreed[indexOf(side)] : -1);
        const QString choice = choiceWords(side);
        line.choice->setFixedWidth(room);
        line.choice->setText(fontMetrics().elidedText(choice, Qt::ElideRight, room));
        line.choice->setToolTip(choice);
    }
}

/// Of the run that the side shows.
QString GenerationRow::choiceWords(Side side) const
{
    const control::SideState& state = m_explorer.state(side);
    if (!state.run || m_explorer.generation().isRunning())
        return {};
    const control::SideRun& run = *state.run;
    QStringList words;
    if (run.next.id >= 0) {
        const figures::ProbabilityChange change = {{run.next.before.probability, false},
                                                   {run.next.after.probability, false}};
        words << tokenInQuotes(run, run.next.id) + QLatin1Char(' ') +
                     describeChange(change, hasAblations(state));
        QStringList others;
        for (const engine::Prediction& other : run.after.predictions)
            if (other.token != run.next.id && others.size() < kRunnersUp)
                others << tokenInQuotes(run, other.token) + QLatin1Char(' ') +
                              formatPercent(other.probability);
        words << tr("runners-up %1").arg(others.join(QStringLiteral(", ")));
    }
    if (run.after.loss)
        words.insert(0, tr("loss %1").arg(formatNumber(*run.after.loss)));
    return words.join(QStringLiteral("  ·  "));
}

void GenerationRow::showWords()
{
    QStringList words;
    if (m_explorer.generation().isRunning())
        words << tr("The models write on …");
    else if (step() < lastStep())
        words << tr(
            "Tiles, predictions and loss are those of the text before the marked tokens; its last row "
            "chose them.");
    else
        words << tr("Tiles, predictions and loss are those of the whole text.");
    if (m_parting)
        words << tr("The two texts part at step %1.").arg(*m_parting);
    else if (m_areBoth && !m_explorer.generation().isRunning())
        words << tr("Both models write the same.");
    m_words->setText(words.join(QLatin1Char(' ')));
}

void GenerationRow::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    refresh();
}

}  // namespace hs::panels
