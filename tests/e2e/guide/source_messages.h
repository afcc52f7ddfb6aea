#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hs::test {

/// The string literals of a source text one after another, without comments: sentences that the code
/// assembles from pieces read as one.
std::string wordsIn(const std::string& source);

/// `wordsIn` each source file of the program.
std::vector<std::string> sourceWords(const std::filesystem::path& root);

/// The block quotes of a page, each as one line: the guide quotes the program's messages this way.
std::vector<std::string> explainedMessages(const std::string& prose);

/// Whether one file has all parts of a message; … stands for what is inserted at run time.
bool isSaid(const std::string& message, const std::vector<std::string>& words);

}  // namespace hs::test
