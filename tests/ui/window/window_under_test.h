#pragma once

#include "control/explorer/explorer.h"
#include "ui/fake_backend.h"
#include "window/main_window.h"

#include <QAction>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace hs::test {

/// A window on two fake models with its own settings and recovery folder; both outlive it, so that a second
/// window finds what the first one left.
class WindowUnderTest {
public:
    explicit WindowUnderTest(const std::filesystem::path& session = {}) { open(session); }
    /// Opens on other models, and with more than windows get otherwise.
    WindowUnderTest(const QString& left, const QString& right,
                    const std::function<void(window::Setup&)>& prepare = {})
        : m_left(left), m_right(right), m_prepare(prepare)
    {
        open({});
    }

    /// Destroys the window and opens another.
    void reopen(const std::filesystem::path& session = {})
    {
        window.reset();
        open(session);
    }

    std::filesystem::path file(const char* name) const
    {
        return m_folder.filePath(QString::fromLatin1(name)).toStdString();
    }

    bool settles() const
    {
        return QTest::qWaitFor([this] {
            for (const Side side : kSides) {
                const control::SideState& state = window->explorer().state(side);
                const bool isEmpty = window->explorer().document().side(side).model.isEmpty();
                if (state.isStale || state.isLoading || !(isEmpty || state.run || !state.problem.isEmpty()))
                    return false;
            }
            return !window->explorer().activity().isBusy;
        });
    }

    QAction* action(const QString& text) const
    {
        for (QAction* const each : window->findChildren<QAction*>())
            if (each->text().remove(QLatin1Char('&')) == text)
                return each;
        return nullptr;
    }

    control::Explorer& explorer() const { return window->explorer(); }

private:
    QTemporaryDir m_folder;  // destroyed last
    QString m_left = QStringLiteral("fake:4x6");
    QString m_right = QStringLiteral("fake:4x6+gate");
    std::function<void(window::Setup&)> m_prepare;

public:
    std::unique_ptr<window::MainWindow> window;
    FakeBackend* backend = nullptr;  // owned by the window's Explorer

private:
    void open(const std::filesystem::path& session)
    {
        window::Setup setup;
        auto fake = std::make_unique<FakeBackend>();
        backend = fake.get();
        setup.backend = std::move(fake);
        setup.settings = std::make_unique<QSettings>(m_folder.filePath(QStringLiteral("settings.ini")),
                                                     QSettings::IniFormat);
        setup.recoveryFolder = file("recovery");
        control::setPrompt(setup.document, QStringLiteral("When Mary and John went to the store"));
        setup.document.side(Side::Left).model = m_left;
        setup.document.side(Side::Right).model = m_right;
        setup.sessionFile = session;
        if (m_prepare)
            m_prepare(setup);
        window = std::make_unique<window::MainWindow>(std::move(setup));
        window->resize(1280, 800);
        window->show();
    }
};

}  // namespace hs::test
