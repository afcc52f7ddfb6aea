#pragma once

#include "support/temp_dir.h"
#include "window/main_window.h"

#include <QStringList>

#include <filesystem>
#include <functional>
#include <memory>

namespace hs::test {

/// The real window on the demo pair, with its own settings, sessions and current folder: whatever is done to
/// it stays in there.
class Stage {
public:
    Stage();
    ~Stage();
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    window::MainWindow& window() { return *m_window; }
    control::Explorer& explorer() { return m_window->explorer(); }
    /// Opens another window if the last one was closed; returns whether it was.
    bool reopenIfClosed();

    std::filesystem::path file(const char* name) const { return m_folder / name; }
    /// Folders of models of several shapes, and one without a model.
    static const QStringList& models();

    /// Whether nothing is in progress: no model loads, nothing runs, no figure is being made.
    bool isAtRest();
    /// Handles events until the condition holds; false after a minute.
    static bool waitFor(const std::function<bool()>& holds);

    /// What Qt complained about since the last call; empty: nothing.
    static QString takeComplaint();

private:
    void open();

    TempDir m_folder;
    std::filesystem::path m_before;  // the folder the test was started in
    std::unique_ptr<window::MainWindow> m_window;
};

}  // namespace hs::test
