// How what is on one side is found on the other, whose tokens and heads may be different.
#include "control/document/shown_heads.h"
#include "control/explorer/explorer.h"
#include "text/words.h"

#include <algorithm>

namespace hs::control {
namespace {

constexpr std::array kAxes = {Axis::Query, Axis::Key};

std::optional<int> lastOf(const std::optional<text::TokenSpan>& span)
{
    return span ? std::optional(span->last) : std::nullopt;
}

bool haveSameTokens(const SideRun& left, const SideRun& right, Axis axis)
{
    return std::ranges::equal(tokensOf(left, axis), tokensOf(right, axis), {}, &text::Token::text,
                              &text::Token::text);
}

/// A run's tokens as far as what was generated behind them is also in the other text.
std::vector<text::Token> tokensInCommon(const SideRun& run, const SideRun& other, Axis axis)
{
    const auto split = [axis](const SideRun& of) {
        const std::vector<text::Token>& tokens = tokensOf(of, axis);
        const std::size_t generated = of.hasBlocks() ? 0 : of.request.generated.size();
        return tokens.end() - static_cast<std::ptrdiff_t>(std::min(generated, tokens.size()));
    };
    const int agreed = service::agreeingTokens({split(run), tokensOf(run, axis).end()},
                                               {split(other), tokensOf(other, axis).end()});
    return {tokensOf(run, axis).begin(), split(run) + agreed};
}

/// Whether both show the same text along an axis: models that run the same prompt, or tokens of the same texts. A chat
/// is another text for each template, and a set has places of its own.
bool haveSameText(const SideRun& left, const SideRun& right, Axis axis)
{
    const auto isText = [](const service::SideRequest& request) {
        return !request.model->maps && !request.isChat && !request.view;
    };
    const bool areModels = isText(left.request) && isText(right.request);
    return areModels
               ? left.request.prompt == right.request.prompt &&
                     left.request.tokenIds == right.request.tokenIds
               : std::ranges::equal(tokensInCommon(left, right, axis), tokensInCommon(right, left, axis), {},
                                    &text::Token::text, &text::Token::text);
}

/// Whether each is a prompt that a model read, whatever its text.
bool arePrompts(const SideRun& left, const SideRun& right)
{
    const auto isPrompt = [](const service::SideRequest& request) {
        return !request.model->maps && !request.view;
    };
    return isPrompt(left.request) && isPrompt(right.request);
}

bool haveSamePrompt(const service::SideRequest& left, const service::SideRequest& right)
{
    return left.prompt == right.prompt && left.isChat == right.isChat && left.tokenIds == right.tokenIds;
}

/// Those of the tokens that have a counterpart, where they are.
std::shared_ptr<const render::TokenPlaces> onlyMatched(const render::TokenPlaces& others)
{
    const auto own = [](const std::vector<std::optional<text::TokenSpan>>& places) {
        std::vector<std::optional<text::TokenSpan>> kept(places.size());
        for (std::size_t position = 0; position < places.size(); ++position)
            if (places[position])
                kept[position] = static_cast<int>(position);
        return kept;
    };
    return std::make_shared<const render::TokenPlaces>(own(others.queries), own(others.keys));
}

}  // namespace

Side Explorer::tokenSide(const Document& document) const
{
    const Side first = document.arrangement == Arrangement::RightOnly ? Side::Right : Side::Left;
    return state(first).run || !state(otherSide(first)).run ? first : otherSide(first);
}

void Explorer::matchTokens()
{
    const SideRuns::Runs runs = m_runs->runs();
    if (runs == m_matched)
        return;
    m_matched = runs;
    m_matches = {};
    m_textMatches = {};
    m_places = {};
    if (!runs[0] || !runs[1])
        return;
    if (arePrompts(*runs[0], *runs[1]) && !haveSamePrompt(runs[0]->request, runs[1]->request))
        return matchTexts(*runs[0], *runs[1]);
    for (const Side side : kSides)
        for (const Axis axis : kAxes)
            if (const SideRun &run = *runs[indexOf(side)], &other = *runs[indexOf(otherSide(side))];
                haveSameText(run, other, axis))
                m_matches[indexOf(side)][static_cast<std::size_t>(axis)] =
                    text::TokenMatch(tokensInCommon(run, other, axis), tokensInCommon(other, run, axis));
    for (const Side side : kSides) {
        const SideRun &run = *runs[indexOf(side)], &other = *runs[indexOf(otherSide(side))];
        m_textMatches[indexOf(side)] = run.hasBlocks()
                                           ? text::TokenMatch(run.textTokens(), other.textTokens())
                                           : m_matches[indexOf(side)][static_cast<std::size_t>(Axis::Query)];
    }
}

void Explorer::matchTexts(const SideRun& left, const SideRun& right)
{
    for (const Side side : kSides) {
        const SideRun& run = side == Side::Left ? left : right;
        const SideRun& other = side == Side::Left ? right : left;
        m_textMatches[indexOf(side)] = text::TokenMatch::ofTexts(run.textTokens(), other.textTokens());
        std::array<std::vector<std::optional<text::TokenSpan>>, 2> places;
        for (const Axis axis : kAxes) {
            const auto index = static_cast<std::size_t>(axis);
            const std::vector<text::Token>& tokens = tokensOf(run, axis);
            text::TokenMatch& match = m_matches[indexOf(side)][index];
            match = text::TokenMatch::ofTexts(tokens, tokensOf(other, axis));
            for (int position = 0; position < std::ssize(tokens); ++position)
                places[index].push_back(match.of(position));
        }
        m_places[indexOf(side)] = std::make_shared<const render::TokenPlaces>(
            std::move(places[static_cast<std::size_t>(Axis::Query)]),
            std::move(places[static_cast<std::size_t>(Axis::Key)]));
    }
}

bool Explorer::isChanged(Side side, Axis axis, int position) const
{
    return m_matches[indexOf(side)][static_cast<std::size_t>(axis)].isChanged(position);
}

std::optional<text::TokenSpan> Explorer::matching(Side from, Axis axis, int position, Side to) const
{
    return from == to ? std::optional<text::TokenSpan>(position)
                      : m_matches[indexOf(from)][static_cast<std::size_t>(axis)].of(position);
}

/// Those of `to` that cover some of them; first of all, the whole words that they are part of.
std::optional<text::TokenSpan> Explorer::meant(Side from, Axis axis, text::TokenSpan tokens, Side to) const
{
    if (const auto& run = state(from).run; run && m_document.joinsWords && !run->hasBlocks()) {
        const std::vector<text::Token>& all = tokensOf(*run, axis);
        if (tokens.first >= 0 && tokens.last < static_cast<int>(all.size()))
            tokens = {text::wordAround(all, tokens.first).first, text::wordAround(all, tokens.last).last};
    }
    std::optional<text::TokenSpan> found;
    for (int position = tokens.first; position <= tokens.last; ++position)
        if (const auto there = matching(from, axis, position, to))
            found = found ? text::TokenSpan(std::min(found->first, there->first),
                                            std::max(found->last, there->last))
                          : *there;
    return found;
}

CellSpan Explorer::pinned(Side side) const
{
    const auto span = [&](Axis axis, std::optional<int> from, std::optional<int> to) {
        const auto [first, last] = std::minmax({from.value_or(0), to.value_or(from.value_or(0))});
        return from ? meant(tokenSide(), axis, {first, last}, side) : std::nullopt;
    };
    return {span(Axis::Query, m_document.query, m_document.queryTo),
            span(Axis::Key, m_document.key, m_document.keyTo)};
}

CellSpan Explorer::hovered(Side side) const
{
    const auto span = [&](Axis axis, std::optional<int> position) {
        return position ? meant(m_hover.side, axis, *position, side) : std::nullopt;
    };
    return {span(Axis::Query, m_hover.query), span(Axis::Key, m_hover.key)};
}

std::optional<int> Explorer::readPosition(Side side) const
{
    const std::optional<int> position = m_document.position;
    const bool isMoved = position && hasTwoTexts() && side != tokenSide();
    return isMoved ? lastOf(m_textMatches[indexOf(tokenSide())].of(*position)) : position;
}

std::optional<int> Explorer::asReadPosition(Side side, std::optional<int> token) const
{
    const bool isMoved = token && hasTwoTexts() && side != tokenSide();
    return isMoved ? lastOf(m_textMatches[indexOf(side)].of(*token)) : token;
}

int Explorer::placeOf(Side side, int token) const
{
    const auto& run = state(side).run;
    return run ? run->placeOf(token) : token;
}

int Explorer::tokenOf(Side side, int place) const
{
    const auto& run = state(side).run;
    return run ? run->tokensAt(place).last : place;
}

CellBlock Explorer::tokensAt(Side side, CellBlock places) const
{
    const auto& run = state(side).run;
    for (PositionRange* const range : {&places.queries, &places.keys})
        if (run && run->hasBlocks())
            *range = {run->tokensAt(range->first).first,
                      range->last ? std::optional(run->tokensAt(*range->last).last) : std::nullopt};
    return places;
}

std::optional<int> Explorer::asPin(Side side, Axis axis, std::optional<int> position) const
{
    return position ? lastOf(matching(side, axis, *position, tokenSide())) : std::nullopt;
}

void Explorer::recount(Document& document, Side from, Side to) const
{
    const auto& [left, right] = m_matched;
    if (!left || !right)
        return;
    const auto count = [&](std::optional<int>& position, std::optional<int>& end, Axis axis) {
        if (!position || (!hasTwoTexts() && !haveSameText(*left, *right, axis)))
            return;
        const bool isForward = end && *end > *position;
        const auto there = matching(from, axis, *position, to);
        position = isForward && there ? std::optional(there->first) : lastOf(there);
        const auto endThere = end ? matching(from, axis, *end, to) : std::nullopt;
        end = isForward || !endThere ? lastOf(endThere) : std::optional(endThere->first);
    };
    count(document.key, document.keyTo, Axis::Key);
    count(document.query, document.queryTo, Axis::Query);
    if (document.position && (hasTwoTexts() || haveSameText(*left, *right, Axis::Query)))
        document.position = lastOf(m_textMatches[indexOf(from)].of(*document.position));
}

std::optional<HeadId> Explorer::counterpart(Side from, HeadId head, Side to) const
{
    if (from == to)
        return head;  // before its model is there, too
    const HeadShape here = shapeOf(state(from));
    const HeadShape there = shapeOf(state(to));
    if (there.total() == 0)
        return std::nullopt;
    return here.hasSameHeads(there) ? head : atSameDepth(head, here, there);
}

bool Explorer::hasSameHeads() const
{
    const HeadShape left = shapeOf(state(Side::Left));
    const HeadShape right = shapeOf(state(Side::Right));
    return left.total() == 0 || right.total() == 0 || left.hasSameHeads(right);
}

bool Explorer::hasSameTokens() const
{
    const auto& left = state(Side::Left).run;
    const auto& right = state(Side::Right).run;
    return left && right &&
           std::ranges::all_of(kAxes, [&](Axis axis) { return haveSameTokens(*left, *right, axis); });
}

RunPair Explorer::compared(Side side, TileValue value) const
{
    const auto& run = state(side).run;
    const auto& other = state(otherSide(side)).run;
    const auto refused = [](const QString& problem) { return RunPair{{}, {}, problem}; };
    const auto after = [](const auto& of) {
        return std::shared_ptr<const engine::RunResult>(of, &of->after);
    };
    if (value == TileValue::BetweenSides) {
        if (!run || !other)
            return refused(tr("A difference needs two models: open the other one."));
        const auto& places = placesOfOther(side);
        if (!hasSameHeads() || (!places && !hasSameTokens()))
            return refused(tr("The two sides have different heads or tokens: there is no difference to show. "
                              "Choose models of the same shape, or switch the difference off."));
        const auto own = places ? onlyMatched(*places) : nullptr;
        return {{after(state(Side::Right).run), side == Side::Right ? own : places},
                {after(state(Side::Left).run), side == Side::Left ? own : places},
                {}};
    }
    if (!run)
        return refused(tr("There is no run to compare: open a model and type a prompt."));
    if (const QString problem = whyNoRun(side); !problem.isEmpty())
        return refused(problem);
    if (value == TileValue::AfterAblation && run->set)
        return refused(tr("Averages have no run before ablation beside them: look at one prompt, or keep the "
                          "average for comparison and ablate then."));
    if (value == TileValue::AfterAblation)
        return {{after(run), {}}, {{run, &run->before}, {}}, {}};
    const auto kept = keptRun(side);
    if (!kept || !kept->run.heads.hasSameHeads(run->after.heads))
        return refused(tr("No run of this model is kept: keep one for comparison first."));
    if (kept->run.queries() != run->after.queries())
        return refused(tr("The kept run has %1 tokens and this one %2: there are no cells to compare. Change "
                          "words so that both have the same number, or keep this run instead.")
                           .arg(kept->run.queries())
                           .arg(run->after.queries()));
    return {{after(run), {}}, {{kept, &kept->run}, {}}, {}};
}

QString Explorer::differenceProblem(TileValue value) const
{
    QString problem;
    for (const Side side : kSides) {
        if (!isShown(m_document.arrangement, side))
            continue;
        const QString own = compared(side, value).problem;
        if (own.isEmpty())
            return {};
        if (problem.isEmpty())
            problem = own;
    }
    return problem;
}

void Explorer::keepRuns()
{
    std::array<std::shared_ptr<const KeptRun>, 2> kept;
    for (const Side side : kSides)
        if (const auto& run = state(side).run)
            kept[indexOf(side)] = std::make_shared<const KeptRun>(keep(*run));
    setKept(std::move(kept));
    Q_EMIT messageRaised({Message::Kind::Note,
                          tr("This run is kept. Change words, heads or the gate, and let tiles show what has "
                             "changed: View ▸ Tiles show ▸ Since the kept run."),
                          {}});
}

void Explorer::setKept(std::array<std::shared_ptr<const KeptRun>, 2> kept)
{
    m_kept = std::move(kept);
    synchronise();
    for (const Side side : kSides)
        Q_EMIT stateChanged(side);
}

std::set<HeadId> Explorer::selection(Side side) const
{
    return hasSameHeads() || side == m_selectionSide ? m_selection : std::set<HeadId>();
}

}  // namespace hs::control
