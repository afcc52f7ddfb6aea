#include "window/session_keeper.h"

#include "control/analyses/analysis_runs.h"

#include <QUndoStack>

namespace hs::window {

SessionKeeper::SessionKeeper(control::Explorer& explorer, View view,
                             const std::filesystem::path& recoveryFolder, QObject* parent)
    : QObject(parent), m_explorer(explorer), m_view(std::move(view)),
      m_autosave(std::make_unique<control::Autosave>(recoveryFolder, [this] { return session(); }))
{
    m_autosave->setInterval(std::chrono::seconds(explorer.preferences().autosaveSeconds));
    connect(m_autosave.get(), &control::Autosave::failed, this, &SessionKeeper::autosaveFailed);
    connect(m_autosave.get(), &control::Autosave::written, this, [this] {
        if (m_recovered)
            control::discard(*m_recovered);
        m_recovered.reset();
    });
    connect(&explorer.history(), &QUndoStack::indexChanged, this, &SessionKeeper::touch);
    connect(&explorer, &control::Explorer::preferencesChanged, this, [this] {
        m_autosave->setInterval(std::chrono::seconds(m_explorer.preferences().autosaveSeconds));
    });
    connect(&explorer, &control::Explorer::stateChanged, this, &SessionKeeper::checkTrace);
}

bool SessionKeeper::isModified() const
{
    return !m_explorer.history().isClean();
}

std::optional<SessionKeeper::Version> SessionKeeper::versionOf(const std::filesystem::path& file)
{
    std::error_code noTime;
    std::error_code noSize;
    const Version version{std::filesystem::last_write_time(file, noTime),
                          std::filesystem::file_size(file, noSize)};
    return noTime || noSize ? std::nullopt : std::optional(version);
}

bool SessionKeeper::wasWrittenElsewhere() const
{
    const std::optional<Version> now = versionOf(m_file);
    return now && now != m_version;
}

control::Session SessionKeeper::session() const
{
    control::Session session{m_explorer.document(), m_view(), {}, m_explorer.analyses().kept()};
    for (const Side side : kSides)
        if (const auto& model = m_explorer.state(side).model)
            session.traces[indexOf(side)] = {model->folder, model->fingerprint};
    return session;
}

Result<std::filesystem::path> SessionKeeper::saveTo(const std::filesystem::path& file)
{
    const control::Session current = session();
    const Result<std::filesystem::path> saved = control::saveSession(current, file);
    if (!saved)
        return saved;
    m_traces = current.traces;
    m_explorer.history().setClean();
    m_autosave->clear();
    setFile(file);
    return saved;
}

Result<control::Session> SessionKeeper::open(const std::filesystem::path& file)
{
    const Result<control::Session> session = control::loadSession(file);
    if (!session)
        return session;
    m_traces = session->traces;
    m_explorer.reset(session->document);
    m_explorer.analyses().restore(session->results);
    m_autosave->clear();
    setFile(file);
    return session;
}

void SessionKeeper::recover(const control::RecoveredSession& recovered)
{
    m_recovered = recovered;
    m_traces = recovered.session.traces;
    m_explorer.reset(recovered.session.document);
    m_explorer.analyses().restore(recovered.session.results);
    m_explorer.history().resetClean();
    setFile(recovered.userFile);
    if (m_version && m_version->written > recovered.written)
        m_version.reset();  // the file was saved again after the crash
    touch();
}

void SessionKeeper::startNew(const control::Document& document)
{
    m_traces = {};
    m_explorer.reset(document);
    m_autosave->clear();
    setFile({});
}

void SessionKeeper::close()
{
    m_autosave.reset();
}

void SessionKeeper::setFile(const std::filesystem::path& file)
{
    m_file = file;
    m_version = versionOf(file);
    m_autosave->setUserFile(file);
    Q_EMIT fileChanged();
}

void SessionKeeper::touch()
{
    if (!m_autosave)
        return;
    if (isModified())
        m_autosave->touch();
    else
        m_autosave->clear();
}

void SessionKeeper::checkTrace(Side side)
{
    control::ModelTrace& trace = m_traces[indexOf(side)];
    const auto& model = m_explorer.state(side).model;
    if (!model || trace.fingerprint.empty())
        return;
    const bool isSamePlace = model->folder == trace.folder;
    const bool isSameModel = model->fingerprint == trace.fingerprint;
    trace = {};  // reported once
    if (isSamePlace && !isSameModel)
        Q_EMIT modelChanged(QString::fromStdString(model->title));
}

}  // namespace hs::window
