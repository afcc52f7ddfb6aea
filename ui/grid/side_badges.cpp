#include "grid/side_badges.h"

#include "control/analyses/analysis_runs.h"
#include "control/document/known_circuits.h"
#include "control/document/shown_heads.h"
#include "grid/kind_painter.h"
#include "render/translate.h"

#include <QLocale>

#include <algorithm>

namespace hs::grid {
namespace {

/// Texts about the ranks of one analysis.
struct RankWords {
    QString ranked;  // "%1" is the rank, "%2" the value
    QString order;
    QString missing;  // what to do where there is no result
};

RankWords wordsOf(service::AnalysisKind kind)
{
    switch (kind) {
    case service::AnalysisKind::Sweep:
        return {tr("no. %1 of the sweep, changes the logit difference by %2"),
                tr("rank in the sweep, the largest change of the logit difference first"),
                tr("Run the sweep to see its ranks.")};
    case service::AnalysisKind::Circuit:
        return {tr("no. %1 of the circuit, effect %2"), tr("rank in the circuit, the largest effect first"),
                tr("Find the circuit to see its ranks.")};
    case service::AnalysisKind::Attribution:
        return {tr("no. %1 of the attribution, contributes %2"),
                tr("rank in the attribution, the largest contribution first"),
                tr("The ranks of the attribution come with the first run.")};
    case service::AnalysisKind::Compare:
        return {tr("no. %1 of the comparison, distance %2"),
                tr("rank in the comparison, what changed most first"),
                tr("Open two models of the same shape and tokens to see what changed most.")};
    case service::AnalysisKind::EdgeHeads:
        return {tr("no. %1 of the edge between features, carries %2"),
                tr("rank among the heads that carry the edge, the largest load first"),
                tr("Click a feature in the Features panel to see the heads that carry its strongest edge.")};
    case service::AnalysisKind::History:
        return {tr("no. %1 over training, jumps by %2"), tr("rank over training, the largest jump first"),
                tr("Run Over training to see its ranks.")};
    case service::AnalysisKind::Scatter:
    case service::AnalysisKind::Graph:
    case service::AnalysisKind::Prompts:
    case service::AnalysisKind::Lens:
    case service::AnalysisKind::Saliency:
    case service::AnalysisKind::HeadWords:
    case service::AnalysisKind::Flow: break;
    }
    return {{}, {}, tr("This analysis does not rank heads; choose another one for the badges.")};
}

/// A comparison covers both sides and is kept with the left one.
Side keptWith(service::AnalysisKind kind, Side side)
{
    return kind == service::AnalysisKind::Compare ? Side::Left : side;
}

/// The finding whose ranks a side shows: the latest about the model open there.
std::shared_ptr<const control::Finding> rankedFinding(const control::Explorer& explorer, Side side)
{
    const service::AnalysisKind kind = explorer.document().badges.analysis;
    const auto& finding = explorer.analyses().state(kind, keptWith(kind, side)).finding;
    const auto& model = explorer.state(side).model;
    if (!finding || !model)
        return nullptr;
    const bool isOther =
        kind == service::AnalysisKind::Compare && side == Side::Right && finding->request.other;
    const auto& asked = isOther ? finding->request.other->model : finding->request.side.model;
    return asked && asked->fingerprint == model->fingerprint && asked->heads == model->heads ? finding
                                                                                             : nullptr;
}

std::map<HeadId, TileBadge> rankBadges(const control::Explorer& explorer, Side side)
{
    std::map<HeadId, TileBadge> badges;
    const auto finding = rankedFinding(explorer, side);
    if (!finding)
        return badges;
    const control::TileBadges& wanted = explorer.document().badges;
    const QString words = wordsOf(wanted.analysis).ranked;
    // Of an edge, those that carry the share have a badge, and no others.
    const int most =
        wanted.analysis == service::AnalysisKind::EdgeHeads
            ? static_cast<int>(control::chosenHeads(*finding->result, explorer.document().analyses).size())
            : wanted.count;
    int rank = 0;
    for (const control::RankedHead& ranked :
         control::ranking(*finding->result, explorer.document().analyses)) {
        if (++rank > most)
            break;
        const QString value =
            QLocale().toString(ranked.value, 'g', 3).replace(QLatin1Char('-'), QStringLiteral("−"));
        badges[ranked.head] = {{{QString::number(rank)}}, words.arg(rank).arg(value)};
    }
    return badges;
}

/// Calls `visit` for every role of the circuits that fit the shape, with its number.
template <class Visit>
void forEachRole(const HeadShape& shape, Visit visit)
{
    int number = 0;
    for (const control::KnownCircuit& circuit : control::shippedCircuits())
        for (const control::CircuitRole& role : circuit.roles) {
            if (circuit.fits(shape))
                visit(circuit, role, number);
            ++number;
        }
}

std::map<HeadId, TileBadge> roleBadges(const HeadShape& shape)
{
    std::map<HeadId, TileBadge> badges;
    forEachRole(shape, [&](const control::KnownCircuit& circuit, const control::CircuitRole& role,
                           int number) {
        const QString words =
            tr("%1 in %2").arg(control::translatedTitle(role.title), control::translatedTitle(circuit.title));
        for (const HeadId head : role.heads) {
            TileBadge& badge = badges[head];
            badge.marks.push_back({role.mark, number});
            badge.description += badge.description.isEmpty() ? words : QStringLiteral(", ") + words;
        }
    });
    return badges;
}

BadgeKey rankKey(const control::Explorer& explorer)
{
    const service::AnalysisKind kind = explorer.document().badges.analysis;
    const RankWords words = wordsOf(kind);
    bool isShownAnywhere = false;
    bool isOutdated = false;
    for (const Side side : kSides) {
        if (!control::isShown(explorer.document().arrangement, side) || !rankedFinding(explorer, side))
            continue;
        isShownAnywhere = true;
        isOutdated |= explorer.analyses().state(kind, keptWith(kind, side)).isOutdated;
    }
    if (!isShownAnywhere)
        return {{}, words.missing};
    return {{{{QStringLiteral("1")}, words.order}},
            isOutdated ? tr("Found before the last change; run it again.") : QString()};
}

BadgeKey roleKey(const control::Explorer& explorer)
{
    BadgeKey key;
    std::set<int> named;
    for (const Side side : kSides)
        if (const auto& model = explorer.state(side).model;
            model && control::isShown(explorer.document().arrangement, side))
            forEachRole(model->heads, [&](const control::KnownCircuit& circuit,
                                          const control::CircuitRole& role, int number) {
                const bool isAlone = circuit.roles.size() == 1;
                if (named.insert(number).second)
                    key.entries.push_back({{role.mark, number},
                                           control::translatedTitle(isAlone ? circuit.title : role.title)});
            });
    if (key.entries.empty())
        key.note =
            tr("No circuit has been published for models of this shape; open GPT-2 small to see some.");
    return key;
}

/// The kinds that heads can have on the prompt.
void addKinds(const control::Explorer& explorer, BadgeKey& key)
{
    bool hasRun = false;
    bool hasInduction = false;
    for (const Side side : kSides)
        if (const auto& run = explorer.state(side).run;
            run && control::isShown(explorer.document().arrangement, side)) {
            hasRun = true;
            hasInduction |= stats::canShowInduction(run->after.stats);
        }
    for (const auto& [kind, word] : stats::enumWords(stats::HeadKind()))
        if (kind != stats::HeadKind::Induction || hasInduction)
            key.entries.push_back({{}, kindTitle(kind), kind});
    if (hasRun && !hasInduction)
        key.note += (key.note.isEmpty() ? QString() : QStringLiteral(" ")) +
                    tr("No token comes twice in this prompt, so induction heads cannot be seen.");
}

BadgeKey markKeyOf(const control::Explorer& explorer)
{
    switch (explorer.document().badges.kind) {
    case control::TileBadges::Kind::None: break;
    case control::TileBadges::Kind::Rank: return rankKey(explorer);
    case control::TileBadges::Kind::KnownCircuit: return roleKey(explorer);
    }
    return {};
}

}  // namespace

std::map<HeadId, TileBadge> badgesOf(const control::Explorer& explorer, Side side)
{
    const auto& model = explorer.state(side).model;
    switch (explorer.document().badges.kind) {
    case control::TileBadges::Kind::None: break;
    case control::TileBadges::Kind::Rank: return rankBadges(explorer, side);
    case control::TileBadges::Kind::KnownCircuit:
        return model ? roleBadges(model->heads) : std::map<HeadId, TileBadge>();
    }
    return {};
}

BadgeKey badgeKeyOf(const control::Explorer& explorer)
{
    BadgeKey key = markKeyOf(explorer);
    if (explorer.document().badges.hasKinds)
        addKinds(explorer, key);
    return key;
}

}  // namespace hs::grid
