#include "base/failure.h"

#include <algorithm>
#include <initializer_list>
#include <new>
#include <string_view>

namespace hs {

void fail(ErrorCode code, std::string message, std::string detail)
{
    throw Failure({code, std::move(message), std::move(detail)});
}

bool isOutOfMemory(const std::exception& exception)
{
    if (dynamic_cast<const std::bad_alloc*>(&exception))
        return true;
    // From libtorch's allocators and cuBLAS; only later versions throw a type of their own.
    const std::string_view what = exception.what();
    return std::ranges::any_of(
        std::initializer_list<std::string_view>{"out of memory", "not enough memory", "can't allocate memory",
                                                "CUBLAS_STATUS_ALLOC_FAILED"},
        [what](std::string_view words) { return what.find(words) != std::string_view::npos; });
}

Error currentError()
{
    try {
        throw;
    } catch (const Failure& failure) {
        return failure.error();
    } catch (const std::exception& exception) {
        const std::string what = exception.what();
        if (isOutOfMemory(exception))
            return {ErrorCode::TooLarge,
                    "There is not enough memory for this; use a shorter prompt or a smaller model.", what};
        // Libraries explain themselves at length; the first line is the reason.
        return {ErrorCode::Internal, "Something went wrong inside: " + what.substr(0, what.find('\n')), what};
    } catch (...) {
        return {ErrorCode::Internal, "Something went wrong inside.", "unknown exception"};
    }
}

}  // namespace hs
