#pragma once

#include "base/mapped_file.h"
#include "model/zip_directory.h"

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace hs::test {

/// One array of an .npz file.
struct NpyArray {
    std::string type;  // "<f4", "<i8"
    std::vector<std::int64_t> shape;
    std::string bytes;

    template <class T>
    std::vector<T> as() const
    {
        std::vector<T> values(bytes.size() / sizeof(T));
        std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
        return values;
    }
};

inline NpyArray parseNpy(std::string_view member)
{
    if (!member.starts_with("\x93NUMPY"))
        throw std::runtime_error("no npy member");
    std::uint16_t length = 0;
    std::memcpy(&length, member.data() + 8, sizeof length);
    const std::string header(member.substr(10, length));
    NpyArray array;
    array.type = header.substr(header.find("'descr': '") + 10, 3);
    std::istringstream extents(header.substr(header.find("'shape': (") + 10));
    for (std::int64_t extent = 0; extents >> extent;) {
        array.shape.push_back(extent);
        extents.ignore(1, ',');
    }
    array.bytes = member.substr(10 + length);
    return array;
}

inline std::map<std::string, NpyArray> readNpz(const std::filesystem::path& file)
{
    const MappedFile mapped = MappedFile::open(file);
    std::map<std::string, NpyArray> arrays;
    for (const auto& [name, bytes] : model::readZipDirectory(mapped.bytes(), file.string())) {
        const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        arrays[name.substr(0, name.size() - 4)] = parseNpy(text);
    }
    return arrays;
}

}  // namespace hs::test
