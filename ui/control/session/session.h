#pragma once

#include "base/result.h"
#include "control/document/analysis.h"
#include "control/document/document.h"

#include <QByteArray>
#include <QPointF>

#include <filesystem>

namespace hs::control {

/// How the grids are looked at: stored with a session, but not undone.
struct GridZoom {
    double tileSide = 0;  // pixels; 0: as large as fits
    QPointF centre;       // in tiles from the grid's top left corner

    friend bool operator==(const GridZoom&, const GridZoom&) = default;
};

struct ViewState {
    std::array<GridZoom, 2> zoom;  // [Side]
    bool isLinked = true;
    std::set<HeadId> selection;
    std::optional<HeadId> currentHead;
    Side activeSide = Side::Left;
    QByteArray windowState;  // docks, as QMainWindow::saveState gives it
    QByteArray geometry;

    friend bool operator==(const ViewState&, const ViewState&) = default;
};

/// Where a session's models were, so that they are found again after a move and changed ones are
/// noticed. [Side]
struct ModelTrace {
    std::string folder;       // absolute; empty: unknown
    std::string fingerprint;  // OpenModel::fingerprint

    friend bool operator==(const ModelTrace&, const ModelTrace&) = default;
};

struct Session {
    Document document;
    ViewState view;
    std::array<ModelTrace, 2> traces;  // [Side]
    std::vector<KeptResult> results;   // of sweeps and circuits, whatever they are of

    friend bool operator==(const Session&, const Session&) = default;
};

/// Readable JSON, with a version. Model paths are stored both absolute and relative to `file`'s
/// folder; whichever exists is used when it is read.
std::string writeSession(const Session& session, const std::filesystem::path& file);
Result<Session> readSession(std::string_view text, const std::filesystem::path& file);

/// The same with the file, written whole or not at all.
Result<std::filesystem::path> saveSession(const Session& session, const std::filesystem::path& file);
Result<Session> loadSession(const std::filesystem::path& file);

}  // namespace hs::control
