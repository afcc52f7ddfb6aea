#include "model/model_files.h"

#include "gguf/checkpoint_form.h"

#include <algorithm>
#include <cctype>

namespace hs::model {
namespace {

std::string baseTitle(const ModelFiles& files)
{
    static constexpr std::string_view kCached = "models--";
    if (!files.nameInStore.empty())
        return files.nameInStore;
    for (const std::filesystem::path& part : files.folder) {
        std::string name = part.string();
        if (!name.starts_with(kCached))
            continue;
        name.erase(0, kCached.size());
        if (const std::size_t separator = name.find("--"); separator != std::string::npos)
            name.replace(separator, 2, "/");
        return name;
    }
    if (files.format == ModelFiles::Format::Gguf)
        if (const std::string whole = gguf::splitPrefix(files.weights.front().filename().string());
            !whole.empty())
            return whole;
    if (files.config.empty() && !files.weights.empty() &&
        (files.weights.size() == 1 || files.format == ModelFiles::Format::Gguf))
        return files.weights.front().stem().string();
    const std::filesystem::path folder = std::filesystem::weakly_canonical(files.folder);
    return folder.filename().string();
}

/// Letters and digits alone, in lower case: how file names spell a quantisation differs.
std::string plainLetters(const std::string& text)
{
    std::string letters;
    for (const unsigned char c : text)
        if (std::isalnum(c))
            letters += static_cast<char>(std::tolower(c));
    return letters;
}

}  // namespace

std::string titleOf(const ModelFiles& files)
{
    const std::string title = baseTitle(files);
    const bool isSaid = plainLetters(title).ends_with(plainLetters(files.quantisation));
    return isSaid ? title : title + " " + files.quantisation;
}

Json configOf(const ModelFiles& files)
{
    if (files.format == ModelFiles::Format::Gguf)
        return gguf::configOf(gguf::Container::open(files.weights));
    return files.config.empty() ? Json::object() : readJsonFile(files.config);
}

}  // namespace hs::model
