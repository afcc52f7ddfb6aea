#pragma once

#include <filesystem>
#include <string>

namespace hs::train {

/// A name as YAML text. JSON's strings are YAML's.
std::string yamlText(const std::string& name);

/// A name as Markdown text that no mark in it can change.
std::string markdownText(const std::string& name);

std::string cardNumber(double value);
std::string cardPercent(double share);

/// The front matter that model hubs read, with the model that this was made from and what it is.
std::string cardFrontMatter(const std::string& base, const std::string& tag);

/// Writes README.md into a folder, unless somebody else's is there. Throws Failure.
void writeCard(const std::filesystem::path& folder, const std::string& text);

}  // namespace hs::train
