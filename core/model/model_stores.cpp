#include "model/model_stores.h"

#include "base/failure.h"
#include "base/json_reader.h"
#include "base/mapped_file.h"
#include "base/untrusted_text.h"
#include "gguf/container.h"

#include <algorithm>
#include <cctype>

namespace hs::model {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUsualHost = "registry.ollama.ai";
constexpr std::string_view kUsualNamespace = "library";
constexpr std::string_view kUsualTag = "latest";
constexpr std::string_view kWeightsLayer = "application/vnd.ollama.image.model";
constexpr std::string_view kDigest = "sha256";
constexpr std::uint64_t kLargestManifest = std::uint64_t{1} << 20;
constexpr std::size_t kLongestPart = 80;
constexpr std::size_t kLongestHost = 350;
constexpr std::size_t kMostInStore = 2000;

/// Where Ollama keeps a manifest, part by part.
struct OllamaName {
    std::string host;
    std::string space;
    std::string model;
    std::string tag;

    fs::path manifest(const fs::path& store) const
    {
        return store / "manifests" / host / space / model / tag;
    }

    /// As users write it.
    std::string text() const
    {
        const bool isUsualHost = host == kUsualHost;
        return (isUsualHost ? "" : host + "/") +
               (isUsualHost && space == kUsualNamespace ? "" : space + "/") + model + ":" + tag;
    }
};

/// A part becomes the name of a folder, so it must not lead anywhere else.
bool isNameOfPart(std::string_view part, std::size_t longest, bool mayHavePort = false)
{
    return !part.empty() && part.size() <= longest && part.front() != '.' &&
           std::ranges::all_of(part, [&](unsigned char c) {
               return std::isalnum(c) || c == '_' || c == '-' || c == '.' || (mayHavePort && c == ':');
           });
}

bool isSafe(const OllamaName& name)
{
    return isNameOfPart(name.host, kLongestHost, true) && isNameOfPart(name.space, kLongestPart) &&
           isNameOfPart(name.model, kLongestPart) && isNameOfPart(name.tag, kLongestPart);
}

OllamaName parseOllamaName(std::string_view text)
{
    OllamaName name{std::string(kUsualHost), std::string(kUsualNamespace), {}, std::string(kUsualTag)};
    std::string_view rest = text;
    const auto lastSlash = rest.rfind('/');
    name.model = rest.substr(lastSlash == std::string_view::npos ? 0 : lastSlash + 1);
    if (const std::size_t colon = name.model.find(':'); colon != std::string::npos) {
        name.tag = name.model.substr(colon + 1);
        name.model.erase(colon);
    }
    if (lastSlash != std::string_view::npos) {
        rest = rest.substr(0, lastSlash);
        const auto slash = rest.rfind('/');
        name.space = rest.substr(slash == std::string_view::npos ? 0 : slash + 1);
        if (slash != std::string_view::npos)
            name.host = rest.substr(0, slash);
    }
    if (!isSafe(name))
        fail(ErrorCode::BadRequest,
             quotedName(text) + " is not a name of Ollama's; give one that `ollama list` shows.");
    return name;
}

/// "sha256:" and 64 hexadecimal digits as the name of a blob; empty for anything else.
std::string blobName(const std::string& digest)
{
    const bool isHash = digest.size() == kDigest.size() + 65 && digest.starts_with(kDigest) &&
                        (digest[kDigest.size()] == ':' || digest[kDigest.size()] == '-') &&
                        std::all_of(digest.begin() + kDigest.size() + 1, digest.end(),
                                    [](unsigned char c) { return std::isxdigit(c) != 0; });
    return isHash ? std::string(kDigest) + "-" + digest.substr(kDigest.size() + 1) : std::string();
}

OllamaModel readManifest(const OllamaName& name, const fs::path& store)
{
    const std::string remedy = "run `ollama pull " + name.text() + "`";
    const fs::path file = name.manifest(store);
    const Json json = readJsonFile(file, kLargestManifest);
    const JsonReader manifest(json, file.string(), remedy);
    for (const JsonReader& layer : manifest["layers"].items()) {
        if (layer["mediaType"].text("") != kWeightsLayer)
            continue;
        const std::string blob = blobName(layer["digest"].text());
        if (blob.empty())
            layer["digest"].refuse("a sha256 hash");
        const fs::path weights = store / "blobs" / blob;
        std::error_code failed;
        const std::uintmax_t size = fs::file_size(weights, failed);
        if (failed || static_cast<double>(size) != layer["size"].number(0))
            fail(ErrorCode::BadFile,
                 "Ollama's copy of " + name.text() + " is missing or incomplete; " + remedy + ".");
        return {name.text(), weights};
    }
    fail(ErrorCode::Unsupported, "Ollama's " + name.text() +
                                     " has no weights in a GGUF file; open the safetensors folder of that "
                                     "model instead.");
}

/// Sorted, without hidden ones, links and what is in them.
std::vector<fs::path> entriesOf(const fs::path& folder, bool isForFolders)
{
    std::vector<fs::path> entries;
    std::error_code failed;
    for (fs::directory_iterator it(folder, failed), end;
         !failed && it != end && entries.size() < kMostInStore; it.increment(failed)) {
        std::error_code ignored;
        const bool fits = isForFolders ? it->is_directory(ignored) : it->is_regular_file(ignored);
        if (fits && !it->is_symlink(ignored) && !it->path().filename().string().starts_with('.'))
            entries.push_back(it->path());
    }
    std::ranges::sort(entries);
    return entries;
}

void listOllama(const fs::path& store, std::vector<std::string>& found)
{
    for (const fs::path& host : entriesOf(store / "manifests", true))
        for (const fs::path& space : entriesOf(host, true))
            for (const fs::path& model : entriesOf(space, true))
                for (const fs::path& tag : entriesOf(model, false)) {
                    const OllamaName name{host.filename(), space.filename(), model.filename(),
                                          tag.filename()};
                    if (isSafe(name) && found.size() < kMostInStore)
                        found.push_back("ollama:" + name.text());
                }
}

void listFiles(const fs::path& folder, int depth, std::vector<std::string>& found)
{
    for (const fs::path& file : entriesOf(folder, false))
        if (isGgufModelName(file.filename().string()) && found.size() < kMostInStore)
            found.push_back(file.string());
    if (depth > 0)
        for (const fs::path& inner : entriesOf(folder, true))
            listFiles(inner, depth - 1, found);
}

}  // namespace

OllamaModel findInOllama(std::string_view text, const Environment& environment)
{
    const OllamaName name = parseOllamaName(text);
    std::error_code ignored;
    for (const fs::path& store : environment.ollamaStores())
        if (fs::is_regular_file(name.manifest(store), ignored))
            return readManifest(name, store);
    fail(ErrorCode::NotFound, "Ollama has no model " + name.text() +
                                  "; see `ollama list`, or get it with "
                                  "`ollama pull " +
                                  name.text() + "`.");
}

std::vector<std::string> modelsInStores(const Environment& environment)
{
    static constexpr int kLmStudioDepth = 2;  // publisher, model
    std::vector<std::string> found;
    for (const fs::path& store : environment.ollamaStores())
        listOllama(store, found);
    if (const fs::path cache = environment.llamaCppCache(); !cache.empty())
        listFiles(cache, 0, found);
    for (const fs::path& folder : environment.lmStudioFolders())
        listFiles(folder, kLmStudioDepth, found);
    return found;
}

bool isGgufModelName(std::string_view fileName)
{
    return fileName.ends_with(".gguf") && fileName.find("mmproj") == std::string_view::npos &&
           !fileName.starts_with("mtp-") &&
           (gguf::splitPrefix(fileName).empty() || fileName.find("-00001-of-") != std::string_view::npos);
}

}  // namespace hs::model
