#pragma once

#include "maps/array.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hs::maps {

/// Texts in one or two axes, the last of which is the faster one.
struct Texts {
    std::vector<std::int64_t> shape;
    std::vector<std::string> items;
};

/// A file with named arrays: NPZ or safetensors, told apart by their first bytes. Arrays are mapped where they
/// lie; compressed ones are unpacked when they are asked for. For any thread; what it returns may outlive it.
class ArrayFile {
public:
    virtual ~ArrayFile() = default;

    /// Throws Failure.
    static std::unique_ptr<ArrayFile> open(const std::filesystem::path& file);

    const std::string& path() const { return m_path; }
    virtual std::vector<std::string> names() const = 0;
    virtual bool has(std::string_view name) const = 0;
    /// Throws Failure, also for a name that is not there.
    virtual Array array(std::string_view name) const = 0;
    /// Texts under a name, or numbers as "#7". Throws Failure.
    virtual Texts texts(std::string_view name) const = 0;
    /// Whole numbers: sizes, tokens. Throws Failure.
    virtual std::vector<std::int64_t> numbers(std::string_view name) const = 0;
    /// Tells the file apart from others.
    virtual std::string fingerprint() const = 0;

    /// "attention in maps.npz"
    std::string nameIn(std::string_view name) const;

protected:
    explicit ArrayFile(const std::filesystem::path& file) : m_path(file.string()) {}

private:
    std::string m_path;
};

}  // namespace hs::maps
