#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <vector>

namespace hs::model {

/// The stack of a pickle's machine without its values: which bytes made each, what libtorch may do
/// with it, and how deep it nests. Every step finds its operands or is refused.
class PickleStack {
public:
    enum class Kind {
        Plain,
        OrderedDict,   // the class, not yet called
        StorageType,   // a class that is an argument
        Function,      // a class that is called
        StoragePlace,  // a tuple that names a storage
    };
    struct Value {
        std::size_t start = 0;   // of the bytes that made it
        std::size_t end = 0;     // with the instructions that memorised it
        std::size_t object = 0;  // what it stands for; several values do for one that is recalled
        Kind kind = Kind::Plain;
    };
    /// Throws; is given the reason.
    using Refuse = std::function<void(const char* why)>;

    /// `memories`: slots below this one may be memorised.
    PickleStack(std::size_t memories, Refuse refuse);

    void push(std::size_t start, std::size_t end, Kind kind = Kind::Plain, int depth = 1);

    /// The operand so far from the top, 0 being the last; there must be one above the last mark.
    Value& fromTop(std::size_t index);

    /// So many operands become one, made of the bytes from the first of them to `end`.
    void combine(std::size_t count, std::size_t end);

    void mark(std::size_t start);
    void closeTuple(std::size_t end);
    /// Items above the mark, in groups of so many, go into the container below it.
    void closeItems(std::size_t groupSize);
    /// So many operands go into the container below them.
    void addItems(std::size_t count);

    void memorise(std::size_t slot, std::size_t end);
    void recall(std::size_t slot, std::size_t start, std::size_t end);

    /// Takes off the one value that a pickle ends with.
    void finish();

private:
    struct Object {
        int depth = 1;
        bool isShared = false;  // was recalled
    };
    struct Mark {
        std::size_t depth;  // of the stack below it
        std::size_t start;
    };

    void require(std::size_t count) const;
    int pop(std::size_t count);
    void combineFrom(std::size_t start, std::size_t count, std::size_t end);
    Mark takeMark();

    std::size_t m_memories;
    Refuse m_refuse;
    std::vector<Value> m_values;
    std::vector<Object> m_objects;
    std::vector<Mark> m_marks;
    std::map<std::size_t, Value> m_memory;  // by slot
};

}  // namespace hs::model
