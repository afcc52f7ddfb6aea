#include "model/pickle_dialect.h"

#include "base/failure.h"
#include "model/pickle_classes.h"
#include "model/pickle_edits.h"
#include "model/pickle_opcodes.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace hs {
namespace {

using namespace pickle;

// libtorch goes through containers by recursion, and makes room for all memories up to the highest.
constexpr int kDeepest = 100;
constexpr std::size_t kMostMemories = 1 << 16;

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
        return m_edits.applied(m_pickle.substr(0, m_position));
    }

private:
    enum class Kind {
        Plain,
        OrderedDict,   // the class, not yet called
        StorageType,   // a class that is an argument
        Function,      // a class that is called
        StoragePlace,  // a tuple that names a storage
    };
    /// A value on the unpickler's stack, and what made it: bytes of the pickle.
    struct Value {
        std::size_t start = 0;
        std::size_t end = 0;  // with the instructions that memorised it
        std::size_t object = 0;
        Kind kind = Kind::Plain;
    };
    /// What values stand for; several do for one that is recalled.
    struct Object {
        int depth = 1;
        bool isShared = false;
    };
    struct Mark {
        std::size_t depth;  // of the stack below it
        std::size_t start;
    };

    [[noreturn]] void refuse(const char* why) const { refusePickle(m_what, why); }

    /// Handles one opcode; true at the end.
    bool step()
    {
        const std::size_t start = m_position;
        const char code = take(1)[0];
        if (const PlainOpcode* const plain = findPlainOpcode(code)) {
            take(plain->argumentBytes);
            if (code == kStorage)
                takeStorage();
            else if (plain->operands > 0)
                combine(plain->operands);
            else if (code != kProto)
                push(start);
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
        case kTuple: closeTuple(); break;
        case kSetItems: closeItems(2); break;
        case kAppends: closeItems(1); break;
        case kSetItem: replaceSingle(start, 2, kSetItems); break;
        case kAppend: replaceSingle(start, 1, kAppends); break;
        case kCall: call(start); break;
        case kBuild: build(start); break;
        case kStop: stop(); return true;
        default: refuse("an instruction that state dicts do not need");
        }
        return false;
    }

    /// What is left is the file's one value.
    void stop()
    {
        if (m_stack.size() != 1 || !m_marks.empty())
            refuse("it ends with more or less than one value");
        pop(1);
    }

    void push(std::size_t start, Kind kind = Kind::Plain, int depth = 1)
    {
        if (depth > kDeepest)
            refuse("containers nested too deeply");
        m_stack.push_back({start, m_position, m_objects.size(), kind});
        m_objects.push_back({depth});
    }

    /// At least so many operands above the last mark.
    void require(std::size_t count) const
    {
        const std::size_t floor = m_marks.empty() ? 0 : m_marks.back().depth;
        if (m_stack.size() < floor + count)
            refuse("an instruction without its operands");
    }

    /// Takes so many operands off the stack; says how deep the deepest of them is.
    int pop(std::size_t count)
    {
        int depth = 0;
        for (; count > 0; --count) {
            if (m_stack.back().kind == Kind::OrderedDict)
                refuse("a dictionary made in an unusual way");
            depth = std::max(depth, m_objects[m_stack.back().object].depth);
            m_stack.pop_back();
        }
        return depth;
    }

    /// So many operands become one, which starts at `start`.
    void combineFrom(std::size_t start, std::size_t count)
    {
        const bool isPlace = count == 5 && m_stack[m_stack.size() - 4].kind == Kind::StorageType;
        const int depth = pop(count) + 1;
        push(start, isPlace ? Kind::StoragePlace : Kind::Plain, depth);
    }

    void combine(std::size_t count)
    {
        require(count);
        combineFrom(m_stack[m_stack.size() - count].start, count);
    }

    /// libtorch takes the type it is given for an index without looking.
    void takeStorage()
    {
        require(1);
        if (m_stack.back().kind != Kind::StoragePlace)
            refuse("a storage without its type");
        combine(1);
    }

    void memorise(std::size_t slot)
    {
        require(1);
        if (slot >= std::max(kMostMemories, m_pickle.size()))
            refuse("a memory that is numbered too high");
        m_stack.back().end = m_position;
        m_memory[slot] = m_stack.back();
    }

    void recall(std::size_t slot, std::size_t start)
    {
        const auto memory = m_memory.find(slot);
        if (memory == m_memory.end())
            refuse("an instruction that recalls what was never there");
        m_stack.push_back({start, m_position, memory->second.object, memory->second.kind});
        m_objects[memory->second.object].isShared = true;
    }

    Mark takeMark()
    {
        if (m_marks.empty())
            refuse("an instruction without its mark");
        const Mark mark = m_marks.back();
        m_marks.pop_back();
        return mark;
    }

    void closeTuple()
    {
        const Mark mark = takeMark();
        combineFrom(mark.start, m_stack.size() - mark.depth);
    }

    /// Items in groups of one or two go into the container below their mark.
    void closeItems(std::size_t groupSize)
    {
        const std::size_t count = m_stack.size() - takeMark().depth;
        if (count % groupSize != 0)
            refuse("a key without its value");
        require(count + 1);
        addItems(count);
    }

    /// What was recalled may hold the container or be held by others: a ring, or deeper than it looks.
    void addItems(std::size_t count)
    {
        const int depth = pop(count) + 1;
        Object& container = m_objects[m_stack.back().object];
        if (container.isShared)
            refuse("a container that changes after it was used");
        container.depth = std::max(container.depth, depth);
        if (container.depth > kDeepest)
            refuse("containers nested too deeply");
    }

    /// The operands get a mark before them, and the opcode its many-item form.
    void replaceSingle(std::size_t opcode, std::size_t operands, char manyItems)
    {
        require(operands + 1);
        const std::size_t first = m_stack[m_stack.size() - operands].start;
        m_edits.insert(first, kMark);
        m_edits.replace(opcode, opcode + 1, manyItems);
        addItems(operands);
    }

    /// An OrderedDict, of which libtorch makes nothing, becomes a plain one.
    void call(std::size_t opcode)
    {
        require(2);
        const Value arguments = m_stack.back();
        Value& callee = m_stack[m_stack.size() - 2];
        if (callee.kind == Kind::OrderedDict) {
            const bool isEmpty =
                m_pickle[arguments.start] == kEmptyTuple && arguments.end - arguments.start == 1;
            if (!isEmpty || arguments.start != callee.end || arguments.end != opcode)
                refuse("a dictionary made in an unusual way");
            m_edits.replace(callee.start, opcode + 1, kEmptyDict);
            callee.kind = Kind::Function;
        }
        if (callee.kind != Kind::Function)
            refuse("a call of what is no function");
        combine(2);
    }

    /// Attributes (a state dict's version numbers) go beside the object instead of into it.
    void build(std::size_t opcode)
    {
        combine(2);
        m_edits.replace(opcode, opcode + 1, kTupleOfTwo);
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
        push(start);
    }

    void takeClass(std::size_t start)
    {
        const std::size_t module = m_pickle.find('\n', m_position);
        const std::size_t name = module == std::string_view::npos ? module : m_pickle.find('\n', module + 1);
        if (name == std::string_view::npos)
            refuse("it ends in the middle of a name");
        const std::optional<PickleClass> found = pickleClass(take(name + 1 - m_position));
        if (!found)
            refuse("a class that state dicts do not need");
        push(start, *found == PickleClass::OrderedDict   ? Kind::OrderedDict
                    : *found == PickleClass::StorageType ? Kind::StorageType
                                                         : Kind::Function);
    }

    std::string_view m_pickle;
    const std::string& m_what;
    std::size_t m_position = 0;
    std::vector<Value> m_stack;
    std::vector<Object> m_objects;
    std::vector<Mark> m_marks;
    std::map<std::size_t, Value> m_memory;  // by slot
    PickleEdits m_edits;
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
