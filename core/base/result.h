#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace hs {

enum class ErrorCode {
    NotFound,     // a file, folder or model that does not exist
    BadFile,      // a file whose content cannot be trusted or understood
    Unsupported,  // understood, but not something this program runs
    BadRequest,   // the user's own input does not fit the model
    TooLarge,     // would not fit into memory or a stated budget
    DeviceLost,   // a GPU that no longer works in this process
    Cancelled,
    Internal,
};

/// What went wrong: `message` is one sentence for the user that ends with the remedy,
/// `detail` is for the log.
struct Error {
    ErrorCode code = ErrorCode::Internal;
    std::string message;
    std::string detail;

    friend bool operator==(const Error&, const Error&) = default;
};

/// A value or the reason why there is none. The only form in which an error leaves a layer or a
/// thread; inside core, `Failure` may be thrown and is turned into a Result by `guarded`.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

    bool ok() const { return m_state.index() == 0; }
    explicit operator bool() const { return ok(); }

    const T& value() const&
    {
        assert(ok());
        return std::get<0>(m_state);
    }
    T& value() &
    {
        assert(ok());
        return std::get<0>(m_state);
    }
    T&& value() &&
    {
        assert(ok());
        return std::get<0>(std::move(m_state));
    }
    const Error& error() const
    {
        assert(!ok());
        return std::get<1>(m_state);
    }

    const T& operator*() const& { return value(); }
    T& operator*() & { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    const T* operator->() const { return &value(); }
    T* operator->() { return &value(); }

private:
    std::variant<T, Error> m_state;
};

}  // namespace hs
