#include "app/commands/head_pages_folder.h"

#include "app/support/output.h"
#include "base/failure.h"
#include "base/mapped_file.h"

namespace hs::app {
namespace {

namespace fs = std::filesystem;

constexpr auto kKeptEvery = std::chrono::seconds(60);

std::string lineOf(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

[[noreturn]] void refuseOthers(const fs::path& folder)
{
    fail(ErrorCode::BadRequest, folder.string() +
                                    " has pages of another corpus, model or options; go on with those they "
                                    "were begun with, or give another folder.");
}

}  // namespace

HeadPagesFolder::HeadPagesFolder(fs::path folder, Json conditions, bool isResumed)
    : m_folder(std::move(folder)), m_conditions(std::move(conditions)), m_isResumed(isResumed),
      m_pace(kKeptEvery)
{
    std::error_code problem;
    fs::create_directories(m_folder / "heads", problem);
    if (problem)
        fail(ErrorCode::BadFile,
             "The folder " + m_folder.string() + " cannot be made: " + problem.message() + "; give another.");
    const bool hasPages = fs::exists(m_folder / "config.json");
    if (!isResumed && (hasPages || fs::exists(progressFile())))
        fail(ErrorCode::BadRequest, m_folder.string() +
                                        " has pages already; go on with them by --resume, or give another "
                                        "folder.");
    if (hasPages) {
        const Json config = readJsonFile(m_folder / "config.json");
        const Json own = config.is_object() ? config.value("headscope", Json::object()) : Json();
        if (!own.is_object() || own.value("conditions", Json()) != m_conditions)
            refuseOthers(m_folder);
        m_isComplete = true;
    }
}

void HeadPagesFolder::resume(analyses::HeadPagesStudy& study) const
{
    if (!m_isResumed || !fs::exists(progressFile()))
        return;
    const MappedFile file = MappedFile::open(progressFile());
    const Json kept = Json::from_cbor(file.text(), true, false);
    if (kept.is_discarded() || !kept.is_object())
        fail(ErrorCode::BadFile, progressFile().string() + " is damaged; delete it, and begin again.");
    if (kept.value("conditions", Json()) != m_conditions)
        refuseOthers(m_folder);
    study.goOnFrom(JsonReader(kept, progressFile().string(), "delete it, and begin again")["study"]);
}

void HeadPagesFolder::keepSometimes(const analyses::HeadPagesStudy& study)
{
    m_pace.step([&] { keep(study); });
}

void HeadPagesFolder::keep(const analyses::HeadPagesStudy& study) const
{
    std::string bytes;
    Json::to_cbor(Json{{"conditions", m_conditions}, {"study", study.toJson()}}, bytes);
    writeOutput(progressFile().string(), bytes);
}

void HeadPagesFolder::write(const analyses::HeadPages& pages, const analyses::HeadTreeAbout& about,
                            const analyses::TokenText& tokenText) const
{
    for (const analyses::HeadPage& page : pages.pages)
        writeOutput(analyses::headPageFile(m_folder, page.head).string(),
                    lineOf(analyses::headTreePage(pages, page, tokenText)));
    writeOutput((m_folder / "scatter_data.json").string(), lineOf(analyses::headTreeScatter(pages)));
    // HeadVis looks for both, and finds that nothing more is served.
    fs::create_directories(m_folder / "attributions");
    writeOutput((m_folder / "attributions" / "manifest.json").string(), std::string("{}\n"));
    writeOutput((m_folder / "server_config.json").string(), std::string("{}\n"));
    // Last: it says that all is there.
    writeOutput((m_folder / "config.json").string(), analyses::headTreeConfig(pages, about));
    fs::remove(progressFile());
}

}  // namespace hs::app
