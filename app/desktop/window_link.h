#pragma once

#include "base/descriptor.h"
#include "remote/window_messages.h"

#include <QObject>
#include <QSocketNotifier>
#include <QTimer>

namespace hs::window {
class MainWindow;
}

namespace hs::app {

/// The link of a window to the program that opened it; see remote/window_messages.h. Questions are answered one after the
/// other, and no more are read while one waits for the window. A message that breaks a rule is answered with a sentence
/// and ends the link, never the window. Lives on the UI thread.
class WindowLink : public QObject {
public:
    /// Over a socket that was inherited. Throws Failure if the number is none.
    WindowLink(int socket, window::MainWindow& window);

private:
    void read();
    void write();
    void listen();
    /// Answers what there is, as far as it can be answered now.
    void answerAll();
    bool hasQuestion();
    void tellSelection();
    void send(const std::string& frame);
    void end();

    window::MainWindow& m_window;
    Descriptor m_socket;
    QSocketNotifier m_canRead;
    QSocketNotifier m_canWrite;
    QTimer m_patience;  // looks whether the question that waits can be answered
    QTimer m_telling;   // what changes together is told once
    remote::WindowMessages m_messages;
    bool m_hasGreeted = false;  // the other end
    std::optional<remote::WindowQuestion> m_question;
    int m_number = 0;  // of m_question
    std::string m_unsent;
    Json m_told;  // the last selection
};

}  // namespace hs::app
