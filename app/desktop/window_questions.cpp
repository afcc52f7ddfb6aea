#include "app/desktop/window_questions.h"

#include "app/desktop/window_at_rest.h"
#include "app/support/workspace.h"
#include "base/failure.h"
#include "control/explorer/explorer.h"
#include "control/session/session.h"
#include "service/command_words.h"
#include "window/file_commands.h"
#include "window/main_window.h"

#include <QBuffer>
#include <QPixmap>

#include <algorithm>
#include <array>

namespace hs::app {
namespace {

using control::Explorer;
using remote::WindowAction;
using remote::WindowQuestion;

template <class T>
Json orNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json();
}

Json orNull(const std::optional<HeadId>& head)
{
    return head ? Json(toString(*head)) : Json();
}

/// Fails with the reason if there is one.
void requireNone(const QString& problem)
{
    if (!problem.isEmpty())
        fail(ErrorCode::BadRequest, problem.toStdString());
}

Json promptOf(const control::Document& document)
{
    return {{"text", document.prompt().text.toStdString()},
            {"tokens", document.prompt().tokenIds.toStdString()}};
}

void setPrompt(Explorer& explorer, const WindowQuestion& question)
{
    requireNone(explorer.whyNoRun());
    explorer.edit(Explorer::tr("Change prompt"), [&](control::Document& document) {
        control::setPrompt(document, QString::fromStdString(question.text));
        control::setTokenIds(document, QString::fromStdString(question.tokens));
    });
}

/// Of both sides, each once.
Json ablationsOf(const control::Document& document)
{
    std::vector<std::string> texts;
    for (const Side side : kSides)
        for (const auto& [head, change] : document.side(side).ablations)
            if (const std::string text = service::ablationWords(head, change);
                std::ranges::find(texts, text) == texts.end())
                texts.push_back(text);
    return texts;
}

/// The sides with heads to ablate, of those that are meant. Throws Failure if there are none.
std::vector<Side> sidesMeant(const Explorer& explorer, std::optional<Side> wanted)
{
    std::vector<Side> sides;
    QString problem;
    for (const Side side : kSides) {
        if ((wanted && side != *wanted) || !explorer.state(side).model)
            continue;
        if (const QString reason = explorer.whyNoRun(side); reason.isEmpty())
            sides.push_back(side);
        else
            problem = reason;
    }
    if (sides.empty())
        requireNone(problem.isEmpty()
                        ? Explorer::tr("No model is open there whose heads could be ablated; open "
                                       "one in the window.")
                        : problem);
    return sides;
}

void ablate(Explorer& explorer, const WindowQuestion& question)
{
    const bool isMore = question.action == WindowAction::Ablate;
    control::Document changed = explorer.document();
    for (const Side side : sidesMeant(explorer, question.side)) {
        auto& ablations = changed.side(side).ablations;
        if (!isMore)
            ablations.clear();
        for (const auto& [head, change] : parseChanges(question.heads, explorer.state(side).model->heads))
            ablations[head] = ablations.contains(head) ? together(ablations[head], change) : change;
    }
    explorer.edit(Explorer::tr("Change ablations"), [&](control::Document& document) { document = changed; });
}

void select(Explorer& explorer, const WindowQuestion& question)
{
    const Side side = explorer.activeSide();
    std::vector<HeadId> heads;
    for (const std::string& item : question.heads)
        std::ranges::copy(orThrow(parseHeads(item, shapeOf(explorer.state(side)))),
                          std::back_inserter(heads));
    explorer.select({heads.begin(), heads.end()});
    explorer.setCurrent(side, heads.empty() ? std::nullopt : std::optional(heads.front()));
}

Json hoverOf(const Explorer& explorer)
{
    const control::Hover& hover = explorer.hover();
    if (!hover.head && !hover.query && !hover.key)
        return nullptr;
    return {{"head", orNull(hover.head)},
            {"side", remote::nameOf(hover.side)},
            {"query", orNull(hover.query)},
            {"key", orNull(hover.key)}};
}

/// As a PNG in base64.
Json screenshotOf(window::MainWindow& window)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    window.grab().save(&buffer, "PNG");
    return buffer.data().toBase64().toStdString();
}

/// What makes figures of the window: its session, and the side that is shown alone.
Json sessionOf(window::MainWindow& window)
{
    const control::Document& document = window.explorer().document();
    std::optional<std::string> only;
    for (const Side side : kSides)
        if (const Side other = otherSide(side);
            document.side(other).model.isEmpty() ||
            document.arrangement ==
                (side == Side::Left ? control::Arrangement::LeftOnly : control::Arrangement::RightOnly))
            only = remote::nameOf(side);
    const control::Session session{document, window.viewState(), {}, {}};
    return {{"session", control::writeSession(session, "/window.headscope")}, {"only", orNull(only)}};
}

void close(window::MainWindow& window)
{
    window.files().setQuestion([] { return window::FileCommands::Answer::Discard; });
    QMetaObject::invokeMethod(&window, &QWidget::close, Qt::QueuedConnection);  // the answer goes first
}

}  // namespace

bool canAnswer(const WindowQuestion& question, window::MainWindow& window)
{
    const Explorer& explorer = window.explorer();
    const auto isOpen = [&](Side side) {
        const control::SideState& state = explorer.state(side);
        return !state.isLoading &&
               (state.model || !state.problem.isEmpty() || explorer.document().side(side).model.isEmpty());
    };
    switch (question.action) {
    case WindowAction::Close: return true;
    case WindowAction::Screenshot: return showsDocument(window);
    default: return std::ranges::all_of(kSides, isOpen);
    }
}

Json selectionOf(const Explorer& explorer)
{
    Json heads = Json::array();
    for (const HeadId head : explorer.selection())
        heads.push_back(toString(head));
    return {{"heads", heads},
            {"head", orNull(explorer.currentHead())},
            {"side", remote::nameOf(explorer.activeSide())},
            {"query", orNull(explorer.document().query)},
            {"key", orNull(explorer.document().key)}};
}

Json answerOf(const WindowQuestion& question, window::MainWindow& window)
{
    Explorer& explorer = window.explorer();
    switch (question.action) {
    case WindowAction::Prompt: return promptOf(explorer.document());
    case WindowAction::SetPrompt: setPrompt(explorer, question); break;
    case WindowAction::Ablations: return ablationsOf(explorer.document());
    case WindowAction::Ablate:
    case WindowAction::SetAblations: ablate(explorer, question); break;
    case WindowAction::Selection: return selectionOf(explorer);
    case WindowAction::Select: select(explorer, question); break;
    case WindowAction::Hover: return hoverOf(explorer);
    case WindowAction::Screenshot: return screenshotOf(window);
    case WindowAction::Session: return sessionOf(window);
    case WindowAction::Close: close(window); break;
    }
    return nullptr;
}

}  // namespace hs::app
