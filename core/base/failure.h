#pragma once

#include "base/result.h"

#include <exception>
#include <string>
#include <type_traits>

namespace hs {

/// An Error in flight inside core. Never crosses a thread or a layer: public functions catch it
/// with `guarded`.
class Failure : public std::exception {
public:
    explicit Failure(Error error) : m_error(std::move(error)) {}
    const Error& error() const { return m_error; }
    const char* what() const noexcept override { return m_error.message.c_str(); }

private:
    Error m_error;
};

[[noreturn]] void fail(ErrorCode code, std::string message, std::string detail = {});

/// The value of a Result; throws its error as a Failure.
template <class T>
T orThrow(Result<T> result)
{
    if (!result)
        throw Failure(result.error());
    return std::move(*result);
}

/// Whether an exception means that memory ran out, on the host or on a GPU.
bool isOutOfMemory(const std::exception& exception);

/// The exception being handled, as an Error. Call inside a catch block only.
Error currentError();

/// Runs `body` and turns whatever it throws into an Error.
template <class Body>
auto guarded(Body&& body) -> Result<std::invoke_result_t<Body>>
{
    try {
        return body();
    } catch (...) {
        return currentError();
    }
}

}  // namespace hs
