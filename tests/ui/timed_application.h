#pragma once

#include <QApplication>
#include <QSet>

#include <string>
#include <vector>

namespace hs::test {

/// Notes how much processor time each event takes of the UI thread. Not counted: painting a first frame,
/// which is a widget's first or one that is announced, and what a test does by itself within a nested
/// event loop (see Aside).
/// Processor time, so that a busy machine makes nothing longer than it is.
class TimedApplication : public QApplication {
public:
    /// An event that took long.
    struct Longest {
        double milliseconds = 0;
        std::string what;  // "MouseButtonRelease to QPushButton of hs::PromptPanel"
    };

    /// While it lives, what happens is the test's doing and belongs to no event that is under way.
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
    /// The next frame is a first one, for instance a model's.
    void expectFirstFrame() { m_isFirstFrame = true; }
    /// Of all since the last call.
    Longest takeLongest();

private:
    struct Frame {
        double begin = 0;
        double apart = 0;  // of what is counted elsewhere or not at all
        int loopLevel = 0;
        bool isAside = false;
    };

    bool isWithinLastFrame() const;
    bool isFirstFrame(QObject* receiver, const QEvent& event);
    void open(bool isAside);
    double close();  // milliseconds that were the frame's own

    std::vector<Frame> m_frames;  // the innermost last
    QSet<const QObject*> m_painted;
    bool m_isFirstFrame = false;
    Longest m_longest;
};

}  // namespace hs::test
