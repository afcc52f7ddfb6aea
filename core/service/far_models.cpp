#include "service/far_models.h"

#include "base/failure.h"
#include "base/mapped_file.h"
#include "base/temporary_folder.h"
#include "engine/load/model_tokenizer.h"
#include "model/adapter/adapter_files.h"
#include "model/found_models.h"

#include <algorithm>
#include <array>
#include <fstream>

namespace hs::service {
namespace {

namespace fs = std::filesystem;
using remote::Tree;

constexpr std::array kTokenizerFiles = {"tokenizer.json", "tokenizer_config.json",
                                        "config.json",    "vocab.json",
                                        "merges.txt",     "chat_template.jinja"};
constexpr std::uintmax_t kLargestFile = 64u << 20;
constexpr std::size_t kMostNames = 10'000;

Tree bytesOf(std::string_view text)
{
    return remote::binaryOf(std::as_bytes(std::span(text)));
}

}  // namespace

Tree tokenizerFiles(const std::string& source)
{
    const model::ModelFiles model = orThrow(model::locateModelBehind(source));
    const engine::ModelTokenizer loaded = orThrow(engine::loadTokenizer(model));
    Tree files = Tree::object();
    if (loaded.json) {
        files["tokenizer.json"] = bytesOf(loaded.json().dump());
        if (const auto bos = loaded.tokenizer->bosId())
            files["config.json"] = bytesOf(Json{{"bos_token_id", *bos}}.dump());
        if (const std::string& chat = loaded.tokenizer->chatTemplate(); !chat.empty())
            files["chat_template.jinja"] = bytesOf(chat);
        return files;
    }
    for (const char* const name : kTokenizerFiles) {
        std::error_code missing;
        const std::uintmax_t size = fs::file_size(model.tokenizerFolder / name, missing);
        if (!missing && size <= kLargestFile)
            files[name] = bytesOf(MappedFile::open(model.tokenizerFolder / name).text());
    }
    return files;
}

std::shared_ptr<const text::Tokenizer> tokenizerFrom(const JsonReader& files)
{
    const TemporaryFolder folder("headscope-tokenizer");
    for (const char* const name : kTokenizerFiles) {
        const JsonReader file = files[name];
        if (!file)
            continue;
        if (!file.json().is_binary())
            file.refuse("the bytes of a file");
        const std::vector<std::uint8_t>& bytes = file.json().get_binary();
        std::ofstream out(folder.path() / name, std::ios::binary);
        out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        if (!out.flush())
            fail(ErrorCode::BadFile, "The tokenizer could not be written to " + folder.path().string() +
                                         "; make room on that disk.");
    }
    return orThrow(text::Tokenizer::load(folder.path()));
}

FarFolder listFarFolder(const std::string& path)
{
    const model::Environment environment = model::Environment::fromProcess();
    std::error_code error;
    const fs::path folder =
        fs::weakly_canonical(path.empty() ? fs::path(environment.home) : environment.expanded(path), error);
    FarFolder found;
    found.path = folder.string();
    if (folder.has_relative_path())
        found.parent = folder.parent_path().string();
    std::vector<std::string> candidates;
    for (fs::directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error), end;
         !error && entry != end && found.folders.size() < kMostNames; entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        std::error_code ignored;
        if (name.starts_with('.'))
            continue;
        if (entry->is_directory(ignored))
            found.folders.push_back(name);
        else if (entry->path().extension() == ".gguf")
            candidates.push_back(entry->path().string());
    }
    if (error)
        fail(ErrorCode::NotFound, "The folder " + found.path + " cannot be read there (" + error.message() +
                                      "); choose another one.");
    std::ranges::sort(found.folders);
    std::ranges::sort(candidates);
    candidates.push_back(found.path);
    for (const std::string& name : found.folders)
        if (fs::exists(folder / name / "config.json", error))
            candidates.push_back((folder / name).string());
    const model::FoundModels models = model::foundModels(candidates, environment);
    for (const auto* const list : {&models.named, &models.downloaded})
        for (const model::FoundModel& model : *list)
            if (model.spec || model.folder != folder)
                found.models.push_back(
                    {model.where, model.name, model.family, model.bytesOnDisk, model.problem});
    return found;
}

Tree toTree(const FarFolder& folder)
{
    Tree models = Tree::array();
    for (const FarFolder::Model& model : folder.models)
        models.push_back({{"source", model.source},
                          {"name", model.name},
                          {"family", model.family},
                          {"bytes", model.bytes},
                          {"problem", model.problem}});
    return {{"path", folder.path},
            {"parent", folder.parent},
            {"folders", folder.folders},
            {"models", std::move(models)}};
}

FarFolder farFolderFrom(const JsonReader& reader)
{
    FarFolder folder;
    folder.path = reader["path"].text();
    folder.parent = reader["parent"].text("");
    for (const JsonReader& name : reader["folders"].items())
        folder.folders.push_back(name.text());
    for (const JsonReader& model : reader["models"].items())
        folder.models.push_back({model["source"].text(), model["name"].text(), model["family"].text(""),
                                 static_cast<std::uint64_t>(model["bytes"].number(0, 1e18)),
                                 model["problem"].text("")});
    return folder;
}

}  // namespace hs::service
