#pragma once

#include "analyses/head_tree.h"
#include "base/pace.h"

#include <filesystem>
#include <optional>
#include <string>

namespace hs::app {

/// The folder that pages of heads are written to, and where work that was stopped is kept. Throws Failure.
class HeadPagesFolder {
public:
    /// `conditions` tell these pages from any others. A folder that has some already is refused, unless work is to go on.
    HeadPagesFolder(std::filesystem::path folder, Json conditions, bool isResumed);

    /// All is there; nothing is left to do.
    bool isComplete() const { return m_isComplete; }
    /// Takes up what was stopped, if anything was.
    void resume(analyses::HeadPagesStudy& study) const;
    /// Keeps what is known, now and then or at once.
    void keepSometimes(const analyses::HeadPagesStudy& study);
    void keep(const analyses::HeadPagesStudy& study) const;
    /// Writes the pages; what was kept for a stop goes.
    void write(const analyses::HeadPages& pages, const analyses::HeadTreeAbout& about,
               const analyses::TokenText& tokenText) const;

private:
    std::filesystem::path progressFile() const { return m_folder / "progress.cbor"; }

    std::filesystem::path m_folder;
    Json m_conditions;
    bool m_isResumed;
    bool m_isComplete = false;
    Pace m_pace;
};

}  // namespace hs::app
