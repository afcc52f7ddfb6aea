#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hs::test {

/// The string literals of a source text one behind the other, comments left out: sentences that the code
/// puts together from pieces read as one.
std::string wordsIn(const std::string& source);

/// The words of each source file of the program.
std::vector<std::string> sourceWords(const std::filesystem::path& root);

/// The block quotes of a page, each as one line: how the guide writes what the program says.
std::vector<std::string> explainedMessages(const std::string& prose);

/// Whether one file has all parts of a message; … stands for what is put in when it is said.
bool isSaid(const std::string& message, const std::vector<std::string>& words);

}  // namespace hs::test
