#include "model/found_models.h"

#include "base/failure.h"
#include "model/architectures.h"
#include "model/hub_cache.h"
#include "model/model_locator.h"
#include "model/model_stores.h"
#include "model/safetensors.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <tuple>

namespace hs::model {
namespace {

namespace fs = std::filesystem;

constexpr int kDepth = 2;                    // folders below the one that a named model is in
constexpr std::size_t kMostLookedAt = 2000;  // files and folders looked at below one folder
constexpr std::size_t kMostFound = 200;      // models in one list
constexpr std::uint64_t kLargestConfig = std::uint64_t{1} << 20;
constexpr std::array<std::string_view, 5> kWeightsEndings = {".safetensors", ".pt", ".pth", ".bin", ".gguf"};

fs::path realPath(const fs::path& path)
{
    std::error_code failed;
    const fs::path real = fs::weakly_canonical(path, failed);
    return failed ? path.lexically_normal() : real;
}

bool existsAt(const fs::path& path)
{
    std::error_code ignored;
    return fs::exists(path, ignored);
}

bool isFolder(const fs::path& path)
{
    std::error_code ignored;
    return fs::is_directory(path, ignored);
}

bool isModelFolder(const fs::path& folder)
{
    return isHubEntry(folder) || existsAt(folder / "config.json") || existsAt(folder / "model.safetensors");
}

/// The folder that a model's config would be in, also where its weights are missing.
fs::path folderNamed(const std::string& where, const Environment& environment)
{
    fs::path path = environment.expanded(where);
    if (!existsAt(path) && isHubName(where))
        path = environment.hubCache() / hubEntryName(where);
    if (isHubEntry(path)) {
        const Result<fs::path> snapshot = guarded([&] { return hubSnapshot(path); });
        return snapshot ? *snapshot : path;
    }
    return isFolder(path) || !path.has_parent_path() ? path : path.parent_path();
}

/// Family and sizes; what is wrong with them becomes the problem if there is none yet.
void readConfig(FoundModel& model, const Result<Json>& config)
{
    if (config && config->is_object() && config->contains("model_type") &&
        config->at("model_type").is_string())
        model.family = config->at("model_type").get<std::string>();
    const Result<ArchSpec> spec = config ? readArchSpec(*config) : Result<ArchSpec>(config.error());
    if (spec)
        model.spec = *spec;
    else if (model.problem.empty())
        model.problem = spec.error().message;
}

/// The sizes of the weights files; what is wrong with one of them becomes the problem.
void readWeights(FoundModel& model, const ModelFiles& files)
{
    for (const fs::path& weights : files.weights) {
        std::error_code failed;
        const std::uintmax_t bytes = fs::file_size(weights, failed);
        model.bytesOnDisk += failed ? 0 : bytes;
        if (files.format != ModelFiles::Format::Safetensors || !model.problem.empty())
            continue;
        const Result<bool> isSound = guarded([&] {
            SafetensorsFile::open(weights);
            return true;
        });
        if (!isSound)
            model.problem = isSound.error().message;
    }
}

FoundModel described(const std::string& where, const Environment& environment)
{
    FoundModel model;
    model.where = where;
    const Result<ModelFiles> files = locateModel(where, environment);
    ModelFiles known;
    known.folder = folderNamed(where, environment);
    if (files)
        known = *files;
    else
        model.problem = files.error().message;
    if (const fs::path path = environment.expanded(where); !files && path.extension() == ".gguf") {
        known.format = ModelFiles::Format::Gguf;  // so that it goes by its own name
        known.weights = {path};
    }
    model.folder = known.folder;
    const Result<std::string> title = guarded([&] { return titleOf(known); });
    const bool isLostInStore = !files && where.starts_with("ollama:");
    model.name = where.starts_with("demo:") ? "Demo, " + where.substr(5)
                 : title && !isLostInStore  ? *title
                                            : where;
    readWeights(model, known);
    if (known.format == ModelFiles::Format::Gguf) {
        model.file = known.weights.front();
        readConfig(model, guarded([&] { return configOf(known); }));
    } else if (const fs::path config = files ? known.config : known.folder / "config.json";
               existsAt(config)) {
        readConfig(model, guarded([&] { return readJsonFile(config, kLargestConfig); }));
    }
    return model;
}

bool comesFirst(const FoundModel& a, const FoundModel& b)
{
    return std::tuple(!a.problem.empty(), a.name, a.where) < std::tuple(!b.problem.empty(), b.name, b.where);
}

class ModelSearch {
public:
    explicit ModelSearch(const Environment& environment) : m_environment(environment) {}

    FoundModels all(const std::vector<std::string>& named)
    {
        FoundModels found;
        for (const std::string& where : named)
            if (FoundModel model = described(where, m_environment); isNew(identityOf(model)))
                found.named.push_back(std::move(model));
        found.downloaded = downloaded();
        for (const FoundModel& model : found.named)
            lookBeside(model, found.beside);
        std::ranges::sort(found.beside, comesFirst);
        return found;
    }

private:
    /// Weights that are a model by themselves share their folder with others.
    fs::path identityOf(const FoundModel& model) const
    {
        const fs::path path = m_environment.expanded(model.where);
        std::error_code ignored;
        const bool isOwnFile = model.family.empty() && fs::is_regular_file(path, ignored);
        return realPath(!model.file.empty() ? model.file : isOwnFile ? path : model.folder);
    }

    bool isNew(const fs::path& real) { return m_seen.insert(real).second; }

    std::vector<FoundModel> downloaded()
    {
        std::vector<FoundModel> found;
        for (const fs::path& entry : entriesIn(m_environment.hubCache(), kMostLookedAt)) {
            const std::string name = hubNameOf(entry);
            if (name.empty() || !isHubEntry(entry) || found.size() >= kMostFound)
                continue;
            const std::vector<std::string> files = ggufFilesIn(entry);
            for (const std::string& where : files.size() > 1 ? files : std::vector{name})
                add(where, found);
        }
        for (const std::string& where : modelsInStores(m_environment))
            add(where, found);
        std::ranges::sort(found, comesFirst);
        return found;
    }

    void add(const std::string& where, std::vector<FoundModel>& found)
    {
        if (found.size() >= kMostFound)
            return;
        if (FoundModel model = described(where, m_environment); isNew(identityOf(model)))
            found.push_back(std::move(model));
    }

    /// Of an entry in the download cache: there are often several, which differ in quantisation.
    static std::vector<std::string> ggufFilesIn(const fs::path& entry)
    {
        std::vector<std::string> files;
        const Result<fs::path> snapshot = guarded([&] { return hubSnapshot(entry); });
        for (const fs::path& file : snapshot ? entriesIn(*snapshot, kMostLookedAt) : std::vector<fs::path>())
            if (isGgufModelName(file.filename().string()))
                files.push_back(file.string());
        return files;
    }

    void lookBeside(const FoundModel& model, std::vector<FoundModel>& found)
    {
        if (model.where.starts_with("demo:") || model.where.starts_with("ollama:") ||
            !hubEntryOf(model.folder).empty() || !isFolder(model.folder))
            return;
        const fs::path folder = realPath(model.folder);
        const fs::path around = isModelFolder(folder) ? folder.parent_path() : folder;
        std::size_t left = kMostLookedAt;
        if (m_searched.insert(around).second)
            lookBelow(around, kDepth, left, found);
    }

    void lookBelow(const fs::path& folder, int depth, std::size_t& left, std::vector<FoundModel>& found)
    {
        const std::vector<fs::path> entries = entriesIn(folder, left);
        left -= entries.size();
        for (const fs::path& entry : entries) {
            if (found.size() >= kMostFound)
                return;
            if (!isFolder(entry))
                addFile(entry, found);
            else if (isModelFolder(entry))
                addFolder(entry, found);
            else if (depth > 1 && m_searched.insert(realPath(entry)).second)
                lookBelow(entry, depth - 1, left, found);
        }
    }

    /// Many programs have a config.json, and only that of a model names its type.
    void addFolder(const fs::path& folder, std::vector<FoundModel>& found)
    {
        FoundModel model = described(folder.string(), m_environment);
        if ((model.problem.empty() || !model.family.empty()) && isNew(identityOf(model)))
            found.push_back(std::move(model));
    }

    /// Weights without a folder of their own; other programs give their files the same endings.
    void addFile(const fs::path& file, std::vector<FoundModel>& found)
    {
        const std::string name = file.filename().string();
        if (std::ranges::none_of(kWeightsEndings, [&](std::string_view end) { return name.ends_with(end); }))
            return;
        FoundModel model = described(file.string(), m_environment);
        if (model.problem.empty() && isNew(identityOf(model)))
            found.push_back(std::move(model));
    }

    /// Up to `most`, sorted, without hidden ones.
    static std::vector<fs::path> entriesIn(const fs::path& folder, std::size_t most)
    {
        std::vector<fs::path> entries;
        std::error_code failed;
        for (fs::directory_iterator it(folder, failed), end; !failed && it != end && entries.size() < most;
             it.increment(failed))
            if (!it->path().filename().string().starts_with('.'))
                entries.push_back(it->path());
        std::ranges::sort(entries);
        return entries;
    }

    const Environment& m_environment;
    std::set<fs::path> m_seen;      // models, by their real paths
    std::set<fs::path> m_searched;  // folders, likewise
};

}  // namespace

FoundModels foundModels(const std::vector<std::string>& named, const Environment& environment)
{
    return ModelSearch(environment).all(named);
}

}  // namespace hs::model
