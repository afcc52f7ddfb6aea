#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hs::test {

/// A fenced block of a page: ```sh needs=gpt2 is {"sh", "needs=gpt2"}.
struct Fence {
    int line = 0;  // of its opening, from 1
    std::vector<std::string> info;
    std::string text;

    bool is(const std::string& language) const { return !info.empty() && info.front() == language; }
    /// What follows "key=" in the opening; empty if it is missing.
    std::string value(const std::string& key) const;
};

/// A page of the guide as it is in the repository.
struct GuideSource {
    std::string name;
    std::string text;
    std::vector<Fence> fences;

    /// The page without its fenced blocks.
    std::string prose() const;
};

std::filesystem::path guideFolder();
std::vector<GuideSource> guideSources();

/// The program's command lines in a block: each begins with "headscope", continued lines are joined and
/// comments dropped. All other lines are in `others`.
struct CommandLines {
    std::vector<std::string> headscope;
    std::vector<std::string> others;
};
CommandLines commandLinesOf(const Fence& fence);

/// Whether a text is as shown, where … stands for anything.
bool isAsShown(const std::string& text, const std::string& shown);

}  // namespace hs::test
