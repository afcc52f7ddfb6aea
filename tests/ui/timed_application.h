#pragma once

#include <QApplication>
#include <QSet>

#include <string>
#include <vector>

namespace hs::test {

/// Measures how much processor time each event takes on the UI thread. Not counted: painting a first
/// frame, which is a widget's first or an announced one, and what a test itself does within a nested
/// event loop (see Aside). Processor time, so that a busy machine does not make anything seem longer.
class TimedApplication : public QApplication {
public:
    /// An event that took long.
    struct Longest {
        double milliseconds = 0;
        std::string what;  // "MouseButtonRelease to QPushButton of hs::PromptPanel"
    };

    /// While it lives, what happens is the test's doing and is not counted for any event under way.
    class Aside {
    public:
        Aside();
        ~Aside();
        Aside(const Aside&) = delete;
        Aside& operator=(const Aside&) = delete;
    };

    using QApplication::QApplication;

    static TimedApplication& instance();

    bool notify(QObject* receiver, QEvent* event) override;
    /// Announces that the next frame is a first one, for instance a model's.
    void expectFirstFrame() { m_isFirstFrame = true; }
    /// Since the last call.
    Longest takeLongest();

private:
    struct Frame {
        double begin = 0;
        double apart = 0;  // time counted elsewhere or not at all
        int loopLevel = 0;
        bool isAside = false;
    };

    bool isWithinLastFrame() const;
    bool isFirstFrame(QObject* receiver, const QEvent& event);
    void open(bool isAside);
    double close();  // milliseconds of the frame itself

    std::vector<Frame> m_frames;  // innermost last
    QSet<const QObject*> m_painted;
    bool m_isFirstFrame = false;
    Longest m_longest;
};

}  // namespace hs::test
