#pragma once

#include "app/support/arguments.h"
#include "window/setup.h"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

namespace hs::app {

/// What the window is asked to open, as the user typed it.
struct DesktopArguments {
    std::string session;
    std::string dense = "demo:dense";
    std::string sparse = "demo:sparse";  // empty: nothing beside it
    PromptArguments prompt;
    OtherSide other;
    std::string device;       // empty: as the preferences say
    std::string host;         // of the models; empty: this machine
    std::optional<int> link;  // to the program that opens it; see window_link.h
};

void addDesktopOptions(CLI::App& command, DesktopArguments& arguments);

/// An option for programs alone: no page and no help has it.
void addLinkOption(CLI::App& command, std::optional<int>& link);

/// A model as documents name it: relative paths become absolute, since they would mean something else in
/// a session saved elsewhere.
QString modelSource(const std::string& model);
/// A model of another machine, unless none is named.
QString modelSource(const std::string& model, const std::string& host);

/// The document's prompt becomes the given one, or the demo's where there is none. Throws Failure.
void applyPrompt(const PromptArguments& prompt, control::Document& document);

/// The right side reads another text if one is given.
void applyOther(const OtherSide& other, control::Document& document);

/// Opens the window and returns when it is closed. Throws Failure.
void openWindow(const DesktopArguments& arguments);

/// The engine, the user's settings and the document to start with. Throws Failure.
window::Setup windowSetup(const DesktopArguments& arguments);

}  // namespace hs::app
