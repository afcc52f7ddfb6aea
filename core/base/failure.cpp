#include "base/failure.h"

#include <new>

namespace hs {

void fail(ErrorCode code, std::string message, std::string detail)
{
    throw Failure({code, std::move(message), std::move(detail)});
}

Error currentError()
{
    try {
        throw;
    } catch (const Failure& failure) {
        return failure.error();
    } catch (const std::bad_alloc&) {
        return {ErrorCode::TooLarge,
                "There is not enough memory for this; use a shorter prompt or a smaller model.",
                "std::bad_alloc"};
    } catch (const std::exception& exception) {
        // Libraries explain themselves at length; the first line is the reason.
        const std::string what = exception.what();
        return {ErrorCode::Internal, "Something went wrong inside: " + what.substr(0, what.find('\n')), what};
    } catch (...) {
        return {ErrorCode::Internal, "Something went wrong inside.", "unknown exception"};
    }
}

}  // namespace hs
