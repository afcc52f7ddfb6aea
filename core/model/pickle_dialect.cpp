#include "model/pickle_dialect.h"

#include "base/failure.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

namespace hs {
namespace {

constexpr char kProto = '\x80';
constexpr char kLong1 = '\x8a';
constexpr char kText = 'X';
constexpr char kGlobal = 'c';
constexpr char kMark = '(';
constexpr char kTuple = 't';
constexpr char kSetItem = 's';
constexpr char kSetItems = 'u';
constexpr char kAppend = 'a';
constexpr char kAppends = 'e';
constexpr char kStop = '.';
constexpr char kPut = 'q';
constexpr char kLongPut = 'r';
constexpr char kGet = 'h';
constexpr char kLongGet = 'j';
constexpr char kCall = 'R';
constexpr char kBuild = 'b';
constexpr char kTupleOfTwo = '\x86';
constexpr char kEmptyTuple = ')';
constexpr char kEmptyDict = '}';

/// An opcode with an argument of fixed size that leaves one value for its operands.
struct Plain {
    char code;
    std::size_t argumentBytes;
    std::size_t operands;
};

const Plain* findPlain(char code)
{
    static constexpr std::array<Plain, 15> kOpcodes = {{
        {kProto, 1, 0},  // the protocol's number: the one that leaves nothing
        {'K', 1, 0},
        {'M', 2, 0},
        {'J', 4, 0},  // whole numbers
        {'G', 8, 0},  // a float
        {'N', 0, 0},
        {'\x88', 0, 0},
        {'\x89', 0, 0},  // None, True, False
        {')', 0, 0},
        {']', 0, 0},
        {'}', 0, 0},  // empty tuple, list, dict
        {'\x85', 0, 1},
        {'\x86', 0, 2},
        {'\x87', 0, 3},  // tuples of one, two, three
        {'Q', 0, 1},     // a storage
    }};
    const auto found = std::find_if(kOpcodes.begin(), kOpcodes.end(),
                                    [&](const Plain& plain) { return plain.code == code; });
    return found == kOpcodes.end() ? nullptr : &*found;
}

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
        return edited();
    }

private:
    /// A value on the unpickler's stack.
    struct Value {
        std::size_t start = 0;       // of what makes it, in the pickle
        bool isOrderedDict = false;  // the class, not yet called
    };
    struct Mark {
        std::size_t depth;  // of the stack below it
        std::size_t start;
    };
    struct Edit {
        std::size_t begin;
        std::size_t end;  // equal to begin where something is inserted
        char replacement;
    };

    [[noreturn]] void refuse(const char* why) const { refusePickle(m_what, why); }

    /// Handles one opcode; true at the end.
    bool step()
    {
        const std::size_t start = m_position;
        const char code = take(1)[0];
        if (const Plain* const plain = findPlain(code)) {
            take(plain->argumentBytes);
            if (plain->operands > 0)
                combine(plain->operands);
            else if (code != kProto)
                push({start});
            return false;
        }
        switch (code) {
        case kPut: memorise(takeNumber(1)); break;
        case kLongPut: memorise(takeNumber(4)); break;
        case kGet: recall(takeNumber(1), start); break;
        case kLongGet: recall(takeNumber(4), start); break;
        case kLong1: takeText(1, start); break;
        case kText: takeText(4, start); break;
        case kGlobal: takeClass(start); break;
        case kMark: m_marks.push_back({m_stack.size(), start}); break;
        case kTuple: push({popToMark()}); break;
        case kSetItems: closeItems(); break;
        case kAppends: closeItems(); break;
        case kSetItem: replaceSingle(start, 2, kSetItems); break;
        case kAppend: replaceSingle(start, 1, kAppends); break;
        case kCall: call(start); break;
        case kBuild: build(start); break;
        case kStop: require(1); return true;
        default: refuse("an instruction that state dicts do not need");
        }
        return false;
    }

    void push(Value value) { m_stack.push_back(value); }

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
        m_stack.back().isOrderedDict = false;
    }

    void memorise(std::size_t slot)
    {
        require(1);
        m_memory[slot] = m_stack.back().isOrderedDict;
    }

    void recall(std::size_t slot, std::size_t start)
    {
        const auto memory = m_memory.find(slot);
        if (memory == m_memory.end())
            refuse("an instruction that recalls what was never there");
        push({start, memory->second});
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

    void closeItems()
    {
        popToMark();
        require(1);
    }

    /// The operands get a mark before them, and the opcode its many-item form.
    void replaceSingle(std::size_t opcode, std::size_t operands, char manyItems)
    {
        require(operands + 1);
        const std::size_t first = m_stack[m_stack.size() - operands].start;
        m_edits.push_back({first, first, kMark});
        m_edits.push_back({opcode, opcode + 1, manyItems});
        m_stack.resize(m_stack.size() - operands);
    }

    /// libtorch answers for the calls it lets through; an OrderedDict, of which it makes nothing,
    /// becomes a plain one.
    void call(std::size_t opcode)
    {
        require(2);
        const Value callee = m_stack[m_stack.size() - 2];
        const Value arguments = m_stack.back();
        if (callee.isOrderedDict) {
            if (m_pickle[arguments.start] != kEmptyTuple)
                refuse("a dictionary made in an unusual way");
            m_edits.push_back({callee.start, opcode + 1, kEmptyDict});
        }
        combine(2);
    }

    /// Attributes (a state dict's version numbers) go beside the object instead of into it.
    void build(std::size_t opcode)
    {
        combine(2);
        m_edits.push_back({opcode, opcode + 1, kTupleOfTwo});
    }

    std::string_view take(std::size_t count)
    {
        if (count > m_pickle.size() - m_position)
            refuse("it ends in the middle of an instruction");
        const std::string_view bytes = m_pickle.substr(m_position, count);
        m_position += count;
        return bytes;
    }

    std::size_t takeNumber(std::size_t width)
    {
        std::uint32_t number = 0;
        std::memcpy(&number, take(width).data(), width);
        return number;
    }

    void takeText(std::size_t lengthWidth, std::size_t start)
    {
        take(takeNumber(lengthWidth));
        push({start});
    }

    void takeClass(std::size_t start)
    {
        const std::size_t module = m_pickle.find('\n', m_position);
        const std::size_t name = module == std::string_view::npos ? module : m_pickle.find('\n', module + 1);
        if (name == std::string_view::npos)
            refuse("it ends in the middle of a name");
        const bool isOrderedDict = take(name + 1 - m_position) == "collections\nOrderedDict\n";
        push({start, isOrderedDict});
    }

    std::string edited()
    {
        std::sort(m_edits.begin(), m_edits.end(), [](const Edit& a, const Edit& b) {
            return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
        });
        std::string result;
        std::size_t copied = 0;
        for (const Edit& edit : m_edits) {
            result.append(m_pickle.substr(copied, edit.begin - copied)).push_back(edit.replacement);
            copied = edit.end;
        }
        return result.append(m_pickle.substr(copied, m_position - copied));
    }

    std::string_view m_pickle;
    const std::string& m_what;
    std::size_t m_position = 0;
    std::vector<Value> m_stack;
    std::vector<Mark> m_marks;
    std::map<std::size_t, bool> m_memory;  // slot → Value::isOrderedDict
    std::vector<Edit> m_edits;
};

}  // namespace

void refusePickle(const std::string& what, const std::string& why, std::string detail)
{
    fail(ErrorCode::Unsupported,
         what + " holds more than tensors, numbers and texts (" + why +
             "), and nothing else is read from such a file; save the weights alone: "
             "torch.save(model.state_dict(), \"model.pth\").",
         std::move(detail));
}

std::string toTorchPickle(std::span<const std::byte> pickle, const std::string& what)
{
    return Translator(pickle, what).translate();
}

}  // namespace hs
