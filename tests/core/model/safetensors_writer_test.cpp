#include "model/safetensors_writer.h"

#include "core/model/safetensors_bytes.h"
#include "model/safetensors.h"
#include "support/catch.h"
#include "support/temp_dir.h"

#include <sys/resource.h>

#include <csignal>

using namespace hs;
using namespace hs::test;

namespace {

/// Lets no file of this process grow beyond `bytes`, as a full disk would.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes) : m_handler(std::signal(SIGXFSZ, SIG_IGN))
    {
        getrlimit(RLIMIT_FSIZE, &m_before);
        rlimit limit = m_before;
        limit.rlim_cur = bytes;
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit()
    {
        setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }

private:
    rlimit m_before = {};
    void (*m_handler)(int);
};

std::size_t filesIn(const std::filesystem::path& folder)
{
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()));
}

}  // namespace

TEST_CASE("what is written to a safetensors file is read from it")
{
    const TempDir folder;
    auto writer = model::SafetensorsWriter::create(folder / "model.safetensors",
                                                   {{"flags", model::DType::Bool, {3}},
                                                    {"wörter \"1\"", model::DType::F16, {2, 1}},
                                                    {"scalar", model::DType::I64, {}},
                                                    {"none", model::DType::F32, {0, 7}}},
                                                   {{"format", "pt"}});
    writer.write("scalar", asBytes("12345678"));
    writer.write("flags", asBytes("abc"));
    writer.write("none", {});
    writer.write("wörter \"1\"", asBytes("wxyz"));
    CHECK_FALSE(std::filesystem::exists(folder / "model.safetensors"));
    writer.finish();

    CHECK(filesIn(folder.path()) == 1);
    const auto file = model::SafetensorsFile::open(folder / "model.safetensors");
    CHECK(file.metadata().at("format") == "pt");
    CHECK(file.tensors().size() == 4);
    CHECK(asText(file.bytes(*file.find("scalar"))) == "12345678");
    CHECK(asText(file.bytes(*file.find("flags"))) == "abc");
    CHECK(asText(file.bytes(*file.find("wörter \"1\""))) == "wxyz");
    CHECK(file.find("wörter \"1\"")->shape == std::vector<std::int64_t>{2, 1});
    CHECK(file.find("none")->shape == std::vector<std::int64_t>{0, 7});
    for (const model::TensorInfo& tensor : file.tensors())
        CHECK(tensor.offset % model::byteSize(tensor.dtype) == 0);
}

TEST_CASE("a file without tensors is a sound file")
{
    const TempDir folder;
    model::SafetensorsWriter::create(folder / "model.safetensors", {}).finish();
    CHECK(model::SafetensorsFile::open(folder / "model.safetensors").tensors().empty());
}

TEST_CASE("an unfinished write leaves the old file and nothing else")
{
    const TempDir folder;
    const auto path = folder.write("model.safetensors", "old");
    {
        auto writer = model::SafetensorsWriter::create(
            path, {{"a", model::DType::U8, {3}}, {"b", model::DType::U8, {3}}});
        writer.write("a", asBytes("abc"));
        CHECK(contains(errorOf([&] { writer.finish(); }).message, "\"b\" was never written"));
    }
    CHECK(filesIn(folder.path()) == 1);
    CHECK(MappedFile::open(path).text() == "old");
}

TEST_CASE("tensors that were not announced like that are refused")
{
    const TempDir folder;
    auto writer = model::SafetensorsWriter::create(folder / "x", {{"a", model::DType::F32, {1}}});
    CHECK(contains(errorOf([&] { writer.write("b", asBytes("1234")); }).message, "not announced"));
    CHECK(contains(errorOf([&] { writer.write("a", asBytes("123")); }).message, "came with 3 bytes"));
    const auto create = [&](std::vector<model::TensorSpec> specs) {
        return errorOf([&] { model::SafetensorsWriter::create(folder / "y", std::move(specs)); });
    };
    CHECK(contains(create({{"a", model::DType::F32, {1}}, {"a", model::DType::F32, {1}}}).message,
                   "its own name"));
    CHECK(contains(create({{"a", model::DType::F32, {-1}}}).message, "check its shape"));
    CHECK(contains(create({{"a", model::DType::F32, {-1, -1}}}).message, "check its shape"));
    CHECK(contains(create({{"a", model::DType::F32, {1LL << 62}}}).message, "check its shape"));
    CHECK(contains(create({{"a", model::DType::U8, {INT64_MAX}},
                           {"b", model::DType::U8, {INT64_MAX}},
                           {"c", model::DType::U8, {2}}})
                       .message,
                   "check its shape"));
}

TEST_CASE("a full disk is an error with its remedy and leaves nothing behind")
{
    const TempDir folder;
    const std::string bytes(1 << 20, 'x');
    Error error;
    {
        const FileSizeLimit limit(4096);
        error = errorOf([&] {
            auto writer =
                model::SafetensorsWriter::create(folder / "x", {{"a", model::DType::U8, {1 << 20}}});
            writer.write("a", asBytes(bytes));
            writer.finish();
        });
    }
    CHECK(error.code == ErrorCode::TooLarge);
    CHECK(contains(error.message, "free some space"));
    CHECK(filesIn(folder.path()) == 0);
}

TEST_CASE("a folder that is not there is said before anything is computed")
{
    const TempDir folder;
    const Error error = errorOf([&] { model::SafetensorsWriter::create(folder / "no" / "x", {}); });
    CHECK(contains(error.message, "check that the folder is there"));
}
