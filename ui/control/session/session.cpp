#include "control/session/session.h"

#include "base/atomic_file.h"
#include "base/failure.h"
#include "control/document/figure_fields.h"
#include "control/session/session_archive.h"
#include "control/session/session_file.h"
#include "control/session/session_results.h"
#include "model/environment.h"
#include "render/translate.h"

#include <limits>

namespace hs::control {
namespace {

namespace fs = std::filesystem;

constexpr int kVersion = 1;
constexpr double kLargest = std::numeric_limits<double>::max();
constexpr double kLargestTile = 1e9;  // one cell of a long prompt can fill the view

/// A model's name, and the paths by which it is found again if files have moved.
struct StoredModel {
    std::string source;
    std::string relative;  // `source` from the session's folder; empty if it is not a path
    std::string folder;
    std::string folderRelative;
    std::string fingerprint;
};

/// What a session file holds, with the models separate.
struct StoredSession {
    Session session;
    std::array<StoredModel, 2> models;  // [Side]
    std::string setRelative;            // the set's file from the session's folder
};

// Each type's fields are named once, for an archive that writes and one that reads.

template <class Archive>
void visit(Archive& archive, StoredModel& model)
{
    archive.text("source", model.source);
    archive.text("relative", model.relative);
    archive.text("folder", model.folder);
    archive.text("folderRelative", model.folderRelative);
    archive.text("fingerprint", model.fingerprint);
}

/// Every file has a bias. Unless the file says otherwise, it applies only with the score gate.
template <class Archive>
void visit(Archive& archive, engine::GateChoice& gate)
{
    archive.word("gate", gate.kind);
    double bias = gate.bias.value_or(0);
    archive.number("gateBias", bias, -kLargest, kLargest);
    const bool counts = gate.kind == engine::GateChoice::Kind::Score;
    bool hasBias = Archive::kReads ? counts : gate.bias.has_value();
    if (Archive::kReads || hasBias != counts)
        archive.flag("hasGateBias", hasBias);
    gate.bias = hasBias ? std::optional(bias) : std::nullopt;
}

template <class Archive>
void visit(Archive& archive, GraphChoice& graph)
{
    archive.text("coders", graph.coders);
    archive.nodes("picked", graph.picked);
    archive.nodes("sources", graph.sources);
    archive.nodes("targets", graph.targets);
    archive.groups("groups", graph.groups);
    archive.scales("scales", graph.scales);
    archive.labels("labels", graph.labels);
}

template <class Archive>
void visit(Archive& archive, SideSetup& side, StoredModel& model)
{
    archive.object("model", [&](auto& inner) { visit(inner, model); });
    visit(archive, side.gate);
    archive.adapters("adapters", side.adapters);
    archive.ablations("ablations", side.ablations);
    archive.object("grid", [&](auto& inner) { visit(inner, side.grid); });
    archive.object("features", [&](auto& inner) { visit(inner, side.graph); });
    archive.tokens("generated", side.generated);
}

template <class Archive>
void visit(Archive& archive, Prompt& prompt)
{
    archive.text("prompt", prompt.text);
    archive.flag("chat", prompt.isChat);
    archive.text("tokenIds", prompt.tokenIds);
    archive.flag("bos", prompt.hasBos);
}

template <class Archive>
void visit(Archive& archive, text::BlockChoice& blocks)
{
    archive.word("unit", blocks.unit);
    std::string own = toString(blocks.own);
    archive.text("own", own);
    if (const auto read = text::parseBlocks(own); Archive::kReads && read)
        blocks.own = read->own;
}

template <class Archive>
void visit(Archive& archive, Alike& alike)
{
    archive.flag("prompt", alike.prompt);
    archive.flag("ablations", alike.ablations);
    archive.flag("model", alike.model);
}

template <class Archive>
void visit(Archive& archive, Look& look)
{
    archive.text("colourMap", look.colourMap);
    archive.word("scale", look.scale);
    archive.flag("perHead", look.isPerHead);
    archive.flag("hidesFirstToken", look.hidesFirstToken);
    archive.word("labelCorner", look.labelCorner);
    archive.flag("mlps", look.hasMlps);
}

template <class Archive>
void visit(Archive& archive, AblationTool& tool)
{
    archive.word("kind", tool.kind);
    archive.flag("wholeGroup", tool.isWholeGroup);
    archive.cellMethod("cells", tool.cells);
}

template <class Archive>
void visit(Archive& archive, LensChoice& lens)
{
    archive.word("colour", lens.colour);
    archive.flag("halves", lens.withHalves);
    archive.word("saliency", lens.saliency);
}

template <class Archive>
void visit(Archive& archive, AnalysisSetup& setup)
{
    archive.word("sweepUnits", setup.sweep.units);
    archive.word("sweepMethod", setup.sweep.method);
    archive.word("circuitUnits", setup.circuit.units);
    archive.word("circuitRanking", setup.circuit.ranking);
    archive.number("circuitLevel", setup.circuit.level, 0, 1);
    archive.flag("circuitRefined", setup.circuit.isRefined);
    archive.number("share", setup.share, 0, 1);
    archive.heads("scatterHeads", setup.scatterHeads);
    archive.number("flowThreshold", setup.flowThreshold, 0, 1);
    archive.flag("flowRollout", setup.hasRollout);
    archive.object("lens", [&](auto& inner) { visit(inner, setup.lens); });
    archive.number("graphShare", setup.graphShare, 0, 1);
    archive.text("historyMetric", setup.historyMetric);
}

/// A choice that may be open: its word, or "automatic".
template <class Archive, class Enum>
void visitOpen(Archive& archive, const char* name, std::optional<Enum>& choice)
{
    std::string word(choice ? wordOf(*choice) : "automatic");
    archive.text(name, word);
    choice = fromWord<Enum>(word);
}

template <class Archive>
void visit(Archive& archive, SetChoice& set, std::string& relative)
{
    archive.text("source", set.source);
    archive.text("relative", relative);
    archive.text("stamp", set.stamp);
    archive.text("template", set.pattern);
    visitOpen(archive, "align", set.align);
    archive.count("prompt", set.index, 0, std::numeric_limits<int>::max());
    visitOpen(archive, "average", set.average);
}

template <class Archive>
void visit(Archive& archive, service::GenerationSetup& setup)
{
    archive.count("tokens", setup.count, 1, kMostPositions);
    archive.number("temperature", setup.temperature, 0, kLargest);
    archive.count("topK", setup.topK, 0, kMostPositions);
    int seed = static_cast<int>(setup.seed);
    archive.count("seed", seed, 0, std::numeric_limits<int>::max());
    setup.seed = static_cast<std::uint64_t>(seed);
    archive.text("stop", setup.stop);
    archive.count("ablateFrom", setup.ablateFrom, 0, kMostPositions);
}

template <class Archive>
void visit(Archive& archive, TileBadges& badges)
{
    archive.word("kind", badges.kind);
    archive.word("analysis", badges.analysis);
    archive.count("count", badges.count, 1, kMostPositions);
    archive.flag("kinds", badges.hasKinds);
}

template <class Archive>
void visit(Archive& archive, GridZoom& zoom)
{
    archive.number("tileSide", zoom.tileSide, 0, kLargestTile);
    archive.point("centre", zoom.centre);
}

template <class Archive>
void visit(Archive& archive, ViewState& view)
{
    archive.object("left", [&](auto& inner) { visit(inner, view.zoom[indexOf(Side::Left)]); });
    archive.object("right", [&](auto& inner) { visit(inner, view.zoom[indexOf(Side::Right)]); });
    archive.flag("linked", view.isLinked);
    archive.heads("selection", view.selection);
    archive.head("currentHead", view.currentHead);
    archive.word("activeSide", view.activeSide);
    archive.bytes("windowState", view.windowState);
    archive.bytes("geometry", view.geometry);
}

template <class Archive>
void visit(Archive& archive, StoredSession& stored)
{
    Document& document = stored.session.document;
    // The left side's stands for both, unless the right one has its own.
    visit(archive, document.side(Side::Left).prompt);
    Prompt& other = document.side(Side::Right).prompt;
    if constexpr (Archive::kReads)
        other = document.prompt();
    archive.object("alike", [&](auto& inner) { visit(inner, document.alike); });
    if (!document.alike.prompt)
        archive.object("otherPrompt", [&](auto& inner) { visit(inner, other); });
    archive.object("generation", [&](auto& inner) { visit(inner, document.generation); });
    archive.count("step", document.step, 0, kMostPositions);
    for (const Side side : kSides)
        archive.object(side == Side::Left ? "left" : "right",
                       [&](auto& inner) { visit(inner, document.side(side), stored.models[indexOf(side)]); });
    archive.word("arrangement", document.arrangement);
    if constexpr (Archive::kReads)
        archive.word("difference", document.tiles);  // its name while there was nothing else to show
    archive.word("tiles", document.tiles);
    archive.object("look", [&](auto& inner) { visit(inner, document.look); });
    archive.object("tool", [&](auto& inner) { visit(inner, document.tool); });
    archive.object("blocks", [&](auto& inner) { visit(inner, document.blocks); });
    archive.text("filter", document.filter);
    archive.count("key", document.key, 0, kMostPositions);
    archive.count("query", document.query, 0, kMostPositions);
    archive.count("keyTo", document.keyTo, 0, kMostPositions);
    archive.count("queryTo", document.queryTo, 0, kMostPositions);
    archive.flag("joinsWords", document.joinsWords);
    archive.count("position", document.position, 0, kMostPositions);
    archive.text("target", document.target);
    archive.text("distractor", document.distractor);
    archive.text("corrupted", document.corrupted);
    archive.object("set", [&](auto& inner) { visit(inner, document.set, stored.setRelative); });
    archive.object("analyses", [&](auto& inner) { visit(inner, document.analyses); });
    archive.object("badges", [&](auto& inner) { visit(inner, document.badges); });
    archive.number("edgeThreshold", document.edgeThreshold, 0, 1);
    archive.object("figure", [&](auto& inner) { visit(inner, document.figure); });
    archive.object("view", [&](auto& inner) { visit(inner, stored.session.view); });
}

fs::path folderOf(const fs::path& file)
{
    std::error_code failed;
    const fs::path absolute = fs::absolute(file, failed);
    return (failed ? file : absolute).parent_path().lexically_normal();
}

/// The path relative to the folder; empty for an empty path.
std::string relativeTo(const fs::path& folder, const std::string& path)
{
    return path.empty() ? std::string() : fs::path(path).lexically_relative(folder).generic_string();
}

/// The absolute path that a model's source means when read from the folder; empty if it is a name.
std::string pathOf(const std::string& source, const fs::path& folder)
{
    if (source.empty() || source.starts_with("demo:"))
        return {};
    const fs::path path = model::Environment::fromProcess().expanded(source);
    if (path.is_absolute())
        return path.string();
    std::error_code failed;
    const fs::path absolute = folder / path;
    if (!source.starts_with('.') && !fs::exists(absolute, failed))
        return {};
    return absolute.lexically_normal().string();
}

fs::path workingFolder()
{
    std::error_code failed;
    return fs::current_path(failed);
}

/// In a session file written by hand, "./model" is beside the file.
std::string absoluteSource(const std::string& source, const fs::path& folder)
{
    const std::string path = pathOf(source, source.starts_with('.') ? folder : workingFolder());
    return path.empty() ? source : path;
}

/// Files that moved together with the session are found by the relative path.
std::string resolved(const fs::path& folder, const std::string& absolute, const std::string& relative)
{
    if (relative.empty() || relative.find('\0') != std::string::npos)
        return absolute;
    const fs::path moved = (folder / relative).lexically_normal();
    if (moved == fs::path(absolute).lexically_normal())
        return absolute;
    std::error_code failed;
    return fs::exists(moved, failed) ? moved.string() : absolute;
}

StoredSession stored(const Session& session, const fs::path& file)
{
    StoredSession result{session, {}, {}};
    const fs::path folder = folderOf(file);
    const std::string set = session.document.set.source.toStdString();
    result.setRelative = relativeTo(folder, pathOf(set, workingFolder()));
    for (const Side side : kSides) {
        const ModelTrace& trace = session.traces[indexOf(side)];
        const std::string source = session.document.side(side).model.toStdString();
        const std::string path = pathOf(source, workingFolder());
        result.models[indexOf(side)] = {path.empty() ? source : path, relativeTo(folder, path), trace.folder,
                                        relativeTo(folder, trace.folder), trace.fingerprint};
    }
    return result;
}

Session restored(StoredSession stored, const fs::path& file)
{
    const fs::path folder = folderOf(file);
    for (const Side side : kSides) {
        const StoredModel& model = stored.models[indexOf(side)];
        stored.session.document.side(side).model =
            QString::fromStdString(resolved(folder, absoluteSource(model.source, folder), model.relative));
        stored.session.traces[indexOf(side)] = {resolved(folder, model.folder, model.folderRelative),
                                                model.fingerprint};
    }
    QString& set = stored.session.document.set.source;
    set = QString::fromStdString(
        resolved(folder, absoluteSource(set.toStdString(), folder), stored.setRelative));
    return std::move(stored.session);
}

Json parseSession(std::string_view text, const std::string& name)
{
    Result<Json> tree = guarded([&] { return parseJson(text, name); });
    if (tree && tree->is_object() && tree->contains("headscope"))
        return std::move(*tree);
    const QString message =
        tr("%1 is damaged or is no session of HeadScope; open another file or a copy of it.");
    fail(ErrorCode::BadFile, message.arg(QString::fromStdString(name)).toStdString(),
         tree ? "no \"headscope\" in it" : tree.error().message);
}

void checkVersion(const JsonReader& reader, const std::string& name)
{
    const int version = reader["headscope"]["version"].integer(1, std::numeric_limits<int>::max(), 0);
    if (version > kVersion)
        fail(ErrorCode::Unsupported, tr("%1 was saved by a newer HeadScope (format %2, this one reads up to "
                                        "%3); update HeadScope to open it.")
                                         .arg(QString::fromStdString(name))
                                         .arg(version)
                                         .arg(kVersion)
                                         .toStdString());
    if (version < 1)
        fail(ErrorCode::BadFile, tr("%1 does not say which format it has; open another file or a copy of it.")
                                     .arg(QString::fromStdString(name))
                                     .toStdString());
}

}  // namespace

std::string writeSession(const Session& session, const fs::path& file)
{
    StoredSession content = stored(session, file);
    SessionWriter writer;
    writer.object("headscope", [](SessionWriter& inner) { inner.count("version", kVersion, 1, kVersion); });
    visit(writer, content);
    SessionWriter::Tree tree = writer.take();
    if (!session.results.empty())
        tree["results"] = writeResults(session.results);
    // Paths need not be UTF-8, JSON must be.
    return tree.dump(2, ' ', false, SessionWriter::Tree::error_handler_t::replace) + '\n';
}

Result<Session> readSession(std::string_view text, const fs::path& file)
{
    return guarded([&] {
        const std::string name = file.filename().string();
        const Json tree = parseSession(text, name);
        const JsonReader reader(tree, name, "open another file or a copy of it");
        checkVersion(reader, name);
        StoredSession content;
        const SessionReader archive(tree, name);
        visit(archive, content);
        if (const JsonReader results = reader["results"])
            content.session.results = readResults(results);
        return restored(std::move(content), file);
    });
}

Result<fs::path> saveSession(const Session& session, const fs::path& file)
{
    return guarded([&] {
        writeFile(file, writeSession(session, file));
        return file;
    });
}

Result<Session> loadSession(const fs::path& file)
{
    return guarded([&] { return orThrow(readSession(readSessionText(file), file)); });
}

}  // namespace hs::control
