#pragma once

#include "base/result.h"
#include "control/document/document.h"
#include "control/document/findings.h"

#include <QByteArray>
#include <QPointF>

#include <filesystem>

namespace hs::control {

/// How the grids are viewed: stored with a session, but not undoable.
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
    QByteArray windowState;  // docks, from QMainWindow::saveState
    QByteArray geometry;

    friend bool operator==(const ViewState&, const ViewState&) = default;
};

/// Where a session's model was, so that it is found again after a move and changes in it are noticed.
struct ModelTrace {
    std::string folder;       // absolute; empty: unknown
    std::string fingerprint;  // service::OpenModel::fingerprint

    friend bool operator==(const ModelTrace&, const ModelTrace&) = default;
};

struct Session {
    Document document;
    ViewState view;
    std::array<ModelTrace, 2> traces;  // [Side]
    std::vector<KeptResult> results;   // of sweeps and circuits, whatever their inputs

    friend bool operator==(const Session&, const Session&) = default;
};

/// Readable JSON, with a version. Model paths are stored both absolute and relative to `file`'s
/// folder; on reading, whichever exists is used.
std::string writeSession(const Session& session, const std::filesystem::path& file);
Result<Session> readSession(std::string_view text, const std::filesystem::path& file);

/// The same on a file, which is written completely or not at all.
Result<std::filesystem::path> saveSession(const Session& session, const std::filesystem::path& file);
Result<Session> loadSession(const std::filesystem::path& file);

}  // namespace hs::control
