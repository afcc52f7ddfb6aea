#include "figures/files/figure_file.h"
#include "support/bytes_of.h"

#include "base/failure.h"
#include "figures/parts/page.h"
#include "support/skip.h"
#include "support/temp_dir.h"
#include "ui/figures/figure_sample.h"

#include <QCoreApplication>
#include <QProcess>

#include <sys/resource.h>

#include <csignal>
#include <iterator>
#include <random>

using namespace hs;

namespace {

constexpr figures::Format kFormats[] = {figures::Format::Pdf, figures::Format::Svg, figures::Format::Png,
                                        figures::Format::Html};
constexpr const char* kSuffixes[] = {".pdf", ".svg", ".png", ".html"};
constexpr const char* kFolderVariable = "HS_SAMPLE_FOLDER";

std::string filesIn(const std::filesystem::path& folder)
{
    std::string names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        names += entry.path().filename().string() + "\n";
    return names;
}

void writeSamples(const std::filesystem::path& folder)
{
    for (const std::string suffix : kSuffixes)
        REQUIRE(
            figures::writeFigure(test::sampleDrawing(), folder / ("sample" + suffix), test::sampleStamp(), {})
                .ok());
}

/// Keeps files from growing beyond this many bytes, as on a full disk.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes) : m_handler(std::signal(SIGXFSZ, SIG_IGN))
    {
        getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit{bytes, m_before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit()
    {
        setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
    void (*m_handler)(int);
    rlimit m_before{};
};

}  // namespace

TEST_CASE("a format is known by its suffix, in any case")
{
    CHECK(figures::formatOf("a.pdf") == figures::Format::Pdf);
    CHECK(figures::formatOf("b.c.SVG") == figures::Format::Svg);
    CHECK(figures::formatOf("Figure.Png") == figures::Format::Png);
    CHECK(figures::formatOf("page.html") == figures::Format::Html);
    for (const char* const name : {"a.bmp", "pdf", "a.pdf.gz", ""})
        CHECK_THROWS_AS(figures::formatOf(name), Failure);
}

TEST_CASE("the same drawing written twice is the same bytes")
{
    for (const figures::Format format : kFormats) {
        const QByteArray first = figures::figureBytes(test::sampleDrawing(), format, test::sampleStamp(), {});
        CHECK(first.size() > 10000);
        CHECK((first == figures::figureBytes(test::sampleDrawing(), format, test::sampleStamp(), {})));
    }
}

// Run by the test below, in separate processes.
TEST_CASE("sample figures for another process", "[.]")
{
    writeSamples(qEnvironmentVariable(kFolderVariable).toStdString());
}

TEST_CASE("the same drawing written by two processes is the same bytes")
{
    const test::TempDir folder;
    writeSamples(folder.path());
    for (int process = 0; process < 3; ++process) {
        const test::TempDir other;
        QProcess writer;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QLatin1String(kFolderVariable), QString::fromStdString(other.path().string()));
        writer.setProcessEnvironment(environment);
        writer.start(QCoreApplication::applicationFilePath(),
                     {QStringLiteral("sample figures for another process")});
        if (!writer.waitForStarted())
            test::skipTest("no process can be started here");
        REQUIRE(writer.waitForFinished(60000));
        REQUIRE(writer.exitCode() == 0);
        for (const std::string suffix : kSuffixes)
            CHECK(
                (test::bytesOf(folder / ("sample" + suffix)) == test::bytesOf(other / ("sample" + suffix))));
    }
}

TEST_CASE("a file gives its recipe back, whatever its name")
{
    const test::TempDir folder;
    writeSamples(folder.path());
    for (const std::string suffix : kSuffixes) {
        std::filesystem::rename(folder / ("sample" + suffix), folder / "renamed");
        const Result<std::string> recipe = figures::readRecipe(folder / "renamed");
        REQUIRE(recipe.ok());
        CHECK(*recipe == test::sampleStamp().recipe);
    }
}

TEST_CASE("a long recipe comes back as well")
{
    const test::TempDir folder;
    figures::Stamp stamp = test::sampleStamp();
    stamp.recipe = '"' + std::string(3'000'000, 'a') + '"';
    for (const std::string suffix : kSuffixes) {
        const std::filesystem::path file = folder / ("long" + suffix);
        REQUIRE(figures::writeFigure(test::sampleDrawing(), file, stamp, {}).ok());
        const Result<std::string> recipe = figures::readRecipe(file);
        REQUIRE(recipe.ok());
        CHECK((*recipe == stamp.recipe));
    }
}

TEST_CASE("a file without a recipe says what to name instead")
{
    const test::TempDir folder;
    figures::Stamp stamp = test::sampleStamp();
    stamp.recipe.clear();
    for (const std::string suffix : kSuffixes) {
        const std::filesystem::path file = folder / ("bare" + suffix);
        REQUIRE(figures::writeFigure(test::sampleDrawing(), file, stamp, {}).ok());
        const Result<std::string> recipe = figures::readRecipe(file);
        REQUIRE_FALSE(recipe.ok());
        CHECK(recipe.error().message.find("HeadScope exported") != std::string::npos);
    }
    CHECK(figures::readRecipe(folder / "missing.pdf").error().code == ErrorCode::NotFound);
    CHECK_FALSE(figures::readRecipe(folder.path()).ok());
    CHECK_FALSE(figures::readRecipe(folder.write("empty", "")).ok());
    CHECK_FALSE(figures::readRecipe(folder.write("text", "Not a figure.")).ok());
    CHECK_FALSE(figures::readRecipe(folder.write("open.svg", "<svg><metadata>")).ok());
}

TEST_CASE("damaged files give the recipe or an error, never a crash")
{
    const test::TempDir folder;
    std::mt19937 random(7);
    for (const figures::Format format : kFormats) {
        figures::Drawing small;
        small.setSize({40, 20});
        small.text({2, 10}, QStringLiteral("x"), {});
        small.setPage(std::make_shared<const figures::Page>());
        const std::string whole =
            figures::figureBytes(small, format, test::sampleStamp(), {72, false}).toStdString();
        const auto read = [&](const std::string& content) {
            const Result<std::string> recipe = figures::readRecipe(folder.write("damaged", content));
            return recipe.ok() || !recipe.error().message.empty();
        };
        for (std::size_t length = 0; length < 40; ++length)
            CHECK(read(whole.substr(0, length)));
        for (int round = 0; round < 150; ++round) {
            CHECK(read(whole.substr(0, random() % whole.size())));
            std::string changed = whole;
            for (int change = 0; change < 1 + round % 20; ++change)
                changed[random() % changed.size()] = static_cast<char>(random());
            CHECK(read(changed));
            std::string noise = whole.substr(0, 16);
            while (noise.size() < 400)
                noise += static_cast<char>(random());
            CHECK(read(noise));
        }
    }
}

TEST_CASE("a figure that cannot be written says why and leaves nothing behind", "[fault]")
{
    const test::TempDir folder;
    const figures::Drawing drawing = test::sampleDrawing();
    const figures::Stamp stamp = test::sampleStamp();
    SECTION("unknown format")
    {
        const auto written = figures::writeFigure(drawing, folder / "figure.bmp", stamp, {});
        REQUIRE_FALSE(written.ok());
        CHECK(written.error().code == ErrorCode::BadRequest);
        CHECK(written.error().message.find(".pdf") != std::string::npos);
    }
    SECTION("no such folder")
    {
        const auto written = figures::writeFigure(drawing, folder / "missing" / "figure.svg", stamp, {});
        REQUIRE_FALSE(written.ok());
        CHECK(written.error().message.find("check that the folder is there") != std::string::npos);
    }
    SECTION("a full disk")
    {
        const FileSizeLimit limit(4096);
        for (const std::string suffix : kSuffixes) {
            const auto written = figures::writeFigure(drawing, folder / ("figure" + suffix), stamp, {});
            REQUIRE_FALSE(written.ok());
            CHECK(written.error().message.find("free some space") != std::string::npos);
        }
    }
    SECTION("more pixels than a picture can have")
    {
        const double dots = GENERATE(1e6, 1e308, 0.0, -1.0, std::numeric_limits<double>::quiet_NaN());
        const auto written = figures::writeFigure(drawing, folder / "figure.png", stamp, {dots, false});
        REQUIRE_FALSE(written.ok());
        CHECK(written.error().code == ErrorCode::TooLarge);
        CHECK(written.error().message.find("fewer dots") != std::string::npos);
    }
    CHECK(filesIn(folder.path()).empty());
}

TEST_CASE("a figure that is there already stays as it is when a new one cannot be written", "[fault]")
{
    const test::TempDir folder;
    folder.write("figure.pdf", "before");
    {
        const FileSizeLimit limit(4096);
        CHECK_FALSE(
            figures::writeFigure(test::sampleDrawing(), folder / "figure.pdf", test::sampleStamp(), {}).ok());
    }
    CHECK(test::bytesOf(folder / "figure.pdf") == "before");
    CHECK(filesIn(folder.path()) == "figure.pdf\n");
}

TEST_CASE("a drawing of nothing is a file all the same")
{
    figures::Drawing nothing;
    nothing.setPage(std::make_shared<const figures::Page>());
    for (const figures::Format format : kFormats)
        CHECK_FALSE(figures::figureBytes(nothing, format, {}, {}).isEmpty());
}
