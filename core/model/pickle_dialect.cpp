#include "model/pickle_dialect.h"

#include "base/failure.h"
#include "model/pickle_classes.h"
#include "model/pickle_edits.h"
#include "model/pickle_opcodes.h"
#include "model/pickle_stack.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

namespace hs::model {
namespace {

using namespace pickle;

// libtorch makes room for all memory slots up to the highest; Python numbers them in order.
constexpr std::size_t kMostMemories = 1 << 16;

class Translator {
public:
    Translator(std::span<const std::byte> pickle, const std::string& what)
        : m_pickle(reinterpret_cast<const char*>(pickle.data()), pickle.size()), m_what(what),
          m_stack(std::max(kMostMemories, pickle.size()),
                  [&what](const char* why) { refusePickle(what, why); })
    {
    }

    std::string translate()
    {
        for (bool isDone = false; !isDone;)
            isDone = step();
        return m_edits.applied(m_pickle.substr(0, m_position));
    }

private:
    using Kind = PickleStack::Kind;

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
                m_stack.combine(plain->operands, m_position);
            else if (code != kProto)
                m_stack.push(start, m_position);
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
        case kMark: m_stack.mark(start); break;
        case kTuple: m_stack.closeTuple(m_position); break;
        case kSetItems: m_stack.closeItems(2); break;
        case kAppends: m_stack.closeItems(1); break;
        case kSetItem: replaceSingle(start, 2, kSetItems); break;
        case kAppend: replaceSingle(start, 1, kAppends); break;
        case kCall: call(start); break;
        case kBuild: build(start); break;
        case kStop: m_stack.finish(); return true;
        default: refuse("an instruction that state dicts do not need");
        }
        return false;
    }

    void memorise(std::size_t slot) { m_stack.memorise(slot, m_position); }
    void recall(std::size_t slot, std::size_t start) { m_stack.recall(slot, start, m_position); }

    /// libtorch uses the type it is given as an index without checking it.
    void takeStorage()
    {
        if (m_stack.fromTop(0).kind != Kind::StoragePlace)
            refuse("a storage without its type");
        m_stack.combine(1, m_position);
    }

    /// Puts a mark before the operands and replaces the opcode with its many-item form.
    void replaceSingle(std::size_t opcode, std::size_t operands, char manyItems)
    {
        m_edits.insert(m_stack.fromTop(operands - 1).start, kMark);
        m_edits.replace(opcode, opcode + 1, manyItems);
        m_stack.addItems(operands);
    }

    /// An OrderedDict, which libtorch cannot make, becomes a plain dict.
    void call(std::size_t opcode)
    {
        PickleStack::Value& callee = m_stack.fromTop(1);
        const PickleStack::Value arguments = m_stack.fromTop(0);
        if (callee.kind == Kind::OrderedDict) {
            const bool isEmpty =
                m_pickle[arguments.start] == kEmptyTuple && arguments.end == arguments.start + 1;
            if (!isEmpty || arguments.start != callee.end || arguments.end != opcode)
                refuse("a dictionary made in an unusual way");
            m_edits.replace(callee.start, opcode + 1, kEmptyDict);
            callee.kind = Kind::Function;
        }
        if (callee.kind != Kind::Function)
            refuse("a call of what is no function");
        m_stack.combine(2, m_position);
    }

    /// Attributes (a state dict's version numbers) go beside the object instead of into it.
    void build(std::size_t opcode)
    {
        m_stack.combine(2, m_position);
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
        m_stack.push(start, m_position);
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
        m_stack.push(start, m_position,
                     *found == PickleClass::OrderedDict   ? Kind::OrderedDict
                     : *found == PickleClass::StorageType ? Kind::StorageType
                                                          : Kind::Function);
    }

    std::string_view m_pickle;
    const std::string& m_what;
    std::size_t m_position = 0;
    PickleStack m_stack;
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

}  // namespace hs::model
