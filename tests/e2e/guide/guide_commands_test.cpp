#include "e2e/guide/guide_page.h"
#include "e2e/process.h"
#include "support/catch.h"
#include "support/temp_dir.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <set>

using namespace hs::test;

namespace {

/// What a reader may lack. Blocks that need one of these are left out here, each by name.
const std::set<std::string> kNeeds = {"gpt2",    "olmo",    "gpu",    "network", "ollama",
                                      "display", "minutes", "source", "slurm"};

struct Said {
    int exitCode = -1;
    std::string out;
    std::string err;
};

/// A reader who types a page's commands one after the other into a shell, in a folder for the page.
class Reader {
public:
    Said type(const std::string& line) const
    {
        const std::string program = HS_PROGRAM;
        const std::vector<std::string> environment = {"HOME=" + m_home.path().string(),
                                                      "PATH=" + program.substr(0, program.rfind('/')) +
                                                          ":/usr/bin:/bin"};
        const std::string out = (m_home / "out").string();
        const std::string err = (m_home / "err").string();
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        const int flags = O_WRONLY | O_CREAT | O_TRUNC;
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), flags, 0600);
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), flags, 0600);
        posix_spawn_file_actions_addchdir_np(&actions, m_folder.path().c_str());
        const pid_t child = startProcess({"sh", "-c", line}, environment, &actions);
        posix_spawn_file_actions_destroy(&actions);
        int status = 0;
        waitpid(child, &status, 0);
        return {exitCodeOf(status), contentOf(out), contentOf(err)};
    }

    void write(const std::string& name, const std::string& text) const { m_folder.write(name, text); }

private:
    static std::string contentOf(const std::string& file)
    {
        std::ifstream stream(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

    TempDir m_home;
    TempDir m_folder;
};

/// Follows a page from top to bottom.
void follow(const GuideSource& page)
{
    const Reader reader;
    Said last;
    bool wasLeftOut = false;
    for (const Fence& fence : page.fences) {
        INFO(page.name << ":" << fence.line);
        if (const std::string file = fence.value("file"); !file.empty())
            reader.write(file, fence.text);
        const std::string need = fence.value("needs");
        if (!need.empty()) {
            CHECK(kNeeds.contains(need));
            wasLeftOut = true;
            continue;
        }
        if (fence.is("output")) {
            INFO("says:\n" << last.out << "shown:\n" << fence.text);
            CHECK((wasLeftOut || isAsShown(last.out, fence.text)));
        }
        if (!fence.is("sh"))
            continue;
        wasLeftOut = false;
        const CommandLines lines = commandLinesOf(fence);
        for (const std::string& other : lines.others) {
            INFO(other);
            FAIL_CHECK("a block of commands to be run has others than headscope's");
        }
        for (const std::string& line : lines.headscope) {
            last = reader.type(line);
            INFO(line << "\n" << last.err);
            CHECK(last.exitCode == 0);
        }
    }
}

}  // namespace

TEST_CASE("every command of the guide does what its page says")
{
    const std::vector<GuideSource> pages = guideSources();
    REQUIRE(pages.size() >= 12);
    for (const GuideSource& page : pages)
        DYNAMIC_SECTION(page.name)
        {
            follow(page);
        }
}

TEST_CASE("blocks of the guide are of a kind that is checked")
{
    static const std::set<std::string> kKinds = {"sh",  "output", "json", "jsonl",
                                                 "csv", "python", "text", "cpp"};
    for (const GuideSource& page : guideSources())
        for (const Fence& fence : page.fences) {
            INFO(page.name << ":" << fence.line);
            REQUIRE_FALSE(fence.info.empty());
            CHECK(kKinds.contains(fence.info.front()));
            // Other blocks are not run.
            if (!fence.is("sh"))
                CHECK(commandLinesOf(fence).headscope.empty());
        }
}

TEST_CASE("an output is as shown where only what … stands for differs")
{
    CHECK(isAsShown("a 1 \nb\n\n", "a 1\nb\n"));
    CHECK(isAsShown("a 1.25 s\nb 2\n", "a … s\nb 2"));
    CHECK(isAsShown("begin\nx\ny\nend", "begin\n…\nend"));
    CHECK(isAsShown("anything", "…"));
    CHECK_FALSE(isAsShown("a 1\nb\n", "a 1\n"));
    CHECK_FALSE(isAsShown("a 1\nb", "a 2\nb"));
    CHECK_FALSE(isAsShown("x a", "a…"));
    CHECK_FALSE(isAsShown("ab", "ab…b"));
}

TEST_CASE("command lines are read as a shell reads them")
{
    const CommandLines lines =
        commandLinesOf({1, {"sh"}, "# first\nheadscope run \\\n    --top 3\n\ncat x\nheadscope demo\n"});
    CHECK(lines.headscope == std::vector<std::string>{"headscope run     --top 3", "headscope demo"});
    CHECK(lines.others == std::vector<std::string>{"cat x"});
}
