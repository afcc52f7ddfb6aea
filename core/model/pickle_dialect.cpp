#include "model/pickle_dialect.h"

#include "base/failure.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace hs {
namespace {

constexpr char kMark = '(';
constexpr char kSetItem = 's';
constexpr char kSetItems = 'u';
constexpr char kAppend = 'a';
constexpr char kAppends = 'e';
constexpr char kStop = '.';

class Translator {
public:
    Translator(std::span<const std::byte> pickle, const std::string& what)
        : m_pickle(reinterpret_cast<const char*>(pickle.data()), pickle.size()), m_what(what)
    {
    }

    std::string translate()
    {
        for (bool isDone = false; !isDone;)
            isDone = step();
        return assemble();
    }

private:
    [[noreturn]] void refuse(const char* why) const
    {
        fail(ErrorCode::Unsupported, m_what + " holds more than tensors, numbers and texts (" + why +
                                         "), and nothing else is read from such a file; save the weights alone: "
                                         "torch.save(model.state_dict(), \"model.pth\").");
    }

    /// Handles one opcode; true at the end.
    bool step()
    {
        const std::size_t start = m_position;
        const char code = take(1)[0];
        switch (code) {
        case '\x80': take(1); break;                                   // PROTO
        case 'q': require(1); take(1); break;                          // BINPUT
        case 'r': require(1); take(4); break;                          // LONG_BINPUT
        case 'h': take(1); push(start); break;                         // BINGET
        case 'j': take(4); push(start); break;                         // LONG_BINGET
        case 'K': take(1); push(start); break;                         // BININT1
        case 'M': take(2); push(start); break;                         // BININT2
        case 'J': take(4); push(start); break;                         // BININT
        case 'G': take(8); push(start); break;                         // BINFLOAT
        case '\x8a': take(static_cast<unsigned char>(take(1)[0])); push(start); break;  // LONG1
        case 'X': take(takeLength()); push(start); break;              // BINUNICODE
        case 'N': case '\x88': case '\x89':                            // NONE, NEWTRUE, NEWFALSE
        case ')': case ']': case '}': push(start); break;              // EMPTY_TUPLE, _LIST, _DICT
        case 'c': takeLine(); takeLine(); push(start); break;          // GLOBAL
        case kMark: m_marks.push_back({m_stack.size(), start}); break;
        case 't': { const std::size_t first = popToMark(); push(first); break; }  // TUPLE
        case '\x85': case '\x86': case '\x87': combine(code - '\x84'); break;     // TUPLE1, 2, 3
        case 'R': combine(2); break;                                   // REDUCE
        case 'Q': combine(1); break;                                   // BINPERSID
        case 'b': require(2); m_stack.pop_back(); break;               // BUILD
        case kSetItems: case kAppends: popToMark(); require(1); break;
        case kSetItem: replaceSingle(start, 2, kSetItems); break;
        case kAppend: replaceSingle(start, 1, kAppends); break;
        case kStop: require(1); return true;
        default: refuse("an instruction that state dicts do not need");
        }
        return false;
    }

    void push(std::size_t start) { m_stack.push_back(start); }

    /// At least so many operands above the last mark.
    void require(std::size_t count) const
    {
        const std::size_t floor = m_marks.empty() ? 0 : m_marks.back().depth;
        if (m_stack.size() < floor + count)
            refuse("an instruction without its operands");
    }

    /// So many operands become one, which starts where the first of them did.
    void combine(std::size_t count)
    {
        require(count);
        m_stack.resize(m_stack.size() - (count - 1));
    }

    std::size_t popToMark()
    {
        if (m_marks.empty())
            refuse("an instruction without its mark");
        const Mark mark = m_marks.back();
        m_marks.pop_back();
        m_stack.resize(mark.depth);
        return mark.start;
    }

    /// The operands get a mark before them, and the opcode its many-item form.
    void replaceSingle(std::size_t opcode, std::size_t operands, char manyItems)
    {
        require(operands + 1);
        m_insertedMarks.push_back(m_stack[m_stack.size() - operands]);
        m_replaced.push_back({opcode, manyItems});
        m_stack.resize(m_stack.size() - operands);
    }

    std::string_view take(std::size_t count)
    {
        if (count > m_pickle.size() - m_position)
            refuse("it ends in the middle of an instruction");
        const std::string_view bytes = m_pickle.substr(m_position, count);
        m_position += count;
        return bytes;
    }

    std::size_t takeLength()
    {
        std::uint32_t length = 0;
        std::memcpy(&length, take(4).data(), sizeof length);
        return length;
    }

    void takeLine()
    {
        const std::size_t end = m_pickle.find('\n', m_position);
        if (end == std::string_view::npos)
            refuse("it ends in the middle of a name");
        m_position = end + 1;
    }

    std::string assemble()
    {
        std::string result(m_pickle.substr(0, m_position));
        for (const Replacement& replacement : m_replaced)
            result[replacement.position] = replacement.code;
        std::sort(m_insertedMarks.begin(), m_insertedMarks.end());
        std::string marked;
        std::size_t copied = 0;
        for (const std::size_t position : m_insertedMarks) {
            marked.append(result, copied, position - copied).push_back(kMark);
            copied = position;
        }
        return marked.append(result, copied);
    }

    struct Mark {
        std::size_t depth;  // of the stack below it
        std::size_t start;  // in the pickle
    };
    struct Replacement {
        std::size_t position;
        char code;
    };

    std::string_view m_pickle;
    const std::string& m_what;
    std::size_t m_position = 0;
    std::vector<std::size_t> m_stack;  // where each operand starts in the pickle
    std::vector<Mark> m_marks;
    std::vector<std::size_t> m_insertedMarks;
    std::vector<Replacement> m_replaced;
};

}  // namespace

std::string toTorchPickle(std::span<const std::byte> pickle, const std::string& what)
{
    return Translator(pickle, what).translate();
}

}  // namespace hs
