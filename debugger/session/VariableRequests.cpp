#include "debugger/foreign/Types.h"
#include "debugger/session/ErrorTrace.h"
#include "debugger/session/Evaluation.h"
#include "debugger/session/Frames.h"
#include "debugger/session/Heap.h"
#include "debugger/session/LongWork.h"
#include "debugger/session/Positions.h"
#include "debugger/session/Requests.h"
#include "debugger/session/Rows.h"
#include "types/TypeNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace sx::debugger {

using llvm::json::Array;
using llvm::json::Object;

namespace {

using Kind = VariablesHandle::Kind;

/// Which rows a request wants.
struct Wanted {
    uint32_t start = 0, count = 0;
    ChildFilter filter = ChildFilter::All;
};

Wanted readWanted(Arguments& a) {
    Wanted w;
    w.start = a.optionalIndex("start").value_or(0);
    w.count = a.optionalIndex("count").value_or(0);
    std::string filter = a.optionalText("filter").value_or("");
    if (filter == "indexed") w.filter = ChildFilter::Indexed;
    else if (filter == "named") w.filter = ChildFilter::Named;
    else if (!filter.empty()) a.reject("`filter` has to be `indexed` or `named`");
    return w;
}

/// A page of a short list that was made whole.
Reply page(Array all, const Wanted& w) {
    if (w.filter == ChildFilter::Indexed) all.clear();
    Array part;
    for (size_t i = w.start; i < all.size() && (w.count == 0 || part.size() < w.count); ++i)
        part.push_back(std::move(all[i]));
    return Object{{"variables", std::move(part)}};
}

/// What the function that was stepped out of gave back, in front of the locals of its caller.
void addReturned(Session& s, const FrameHandle& frame, Array& rows, RowOptions options) {
    if (frame.index != 0 || frame.thread != s.stop.thread || s.stop.reason != Stop::Reason::Step) return;
    std::optional<Engine::Returned> r = s.engine->returned(frame.thread);
    if (!r || r->func == ir::FuncId::None) return;
    TypeId type = s.program->module.fn(r->func).result;
    if (type == TypeId::Void || type == TypeId::NoReturn) return;
    Datum d = r->place.kind == SlotPlace::Kind::Memory     ? Datum::at(type, r->place.address)
              : r->place.kind == SlotPlace::Kind::Register ? Datum::held(type, r->place.bytes)
                                                           : Datum::nowhere(type, "<" + r->place.why + ">");
    d.isResult = true;
    Object row = rowOf(s, "return", d, "", options);
    if (!row.get("presentationHint")) row["presentationHint"] = Object{{"kind", "virtual"}};
    rows.push_back(std::move(row));
}

void addTrace(const ErrorTrace& trace, Array& rows) {
    for (const TraceLine& line : trace.lines) {
        std::string place =
            line.isLabel ? "" : line.file + ":" + std::to_string(line.line) + ":" + std::to_string(line.column);
        rows.push_back(plainRow(line.text, place));
    }
}

/// A variable; if it holds an error with its trace, this is a child.
Object localRow(Session& s, const FrameHandle& frame, const Variable& v, RowOptions options) {
    if (!hasValue(s, frame, v)) {
        Object row = plainRow(v.name, NotSet, writtenName(s.program->types, v.datum.type));
        if (!v.evaluateName.empty()) row["evaluateName"] = v.evaluateName;
        return row;
    }
    Object row = rowOf(s, v.name, v.datum, v.evaluateName, options);
    std::optional<TracePlace> trace = tracePlaceOf(s, frame, v.slot, v.datum);
    if (!trace) return row;
    VariablesHandle h;
    h.kind = Kind::Value;
    h.datum = v.datum;
    h.expression = v.evaluateName;
    h.frameId = options.frameId;
    h.trace = trace;
    row["variablesReference"] = s.handles.addVariables(std::move(h));
    row["namedVariables"] = 1;
    return row;
}

/// The child `[trace]` of an error.
Object traceRow(Session& s, const TracePlace& place) {
    ErrorTrace trace = errorTraceAt(s, place);
    Object row = plainRow("[trace]", trace.lines.empty() ? "" : trace.lines.front().text);
    VariablesHandle h;
    h.kind = Kind::Trace;
    h.trace = place;
    row["variablesReference"] = s.handles.addVariables(std::move(h));
    row["presentationHint"] = Object{{"kind", "virtual"}};
    return row;
}

/// Of a frame with many variables no more is read than the page has.
Reply localRows(Session& s, const FrameHandle& frame, const Wanted& w, RowOptions options) {
    Array rows;
    if (w.filter == ChildFilter::Indexed) return Object{{"variables", std::move(rows)}};
    addReturned(s, frame, rows, options);
    LongWork work(s, "reading variables");
    std::vector<Variable> all = declaredLocals(s, frame);
    size_t before = rows.size(), end = before + all.size();
    if (w.count != 0) end = std::min<size_t>(end, size_t(w.start) + w.count);
    if (w.start != 0) rows.clear();
    for (size_t i = std::max<size_t>(before, w.start); i < end; ++i) {
        if (i % 64 == 63 && !work.goesOn(i, end)) return Reply::failure(Cancelled);
        Variable& v = all[i - before];
        readLocal(s, frame, v);
        rows.push_back(localRow(s, frame, v, options));
    }
    return Object{{"variables", std::move(rows)}};
}

Reply frameRows(Session& s, const VariablesHandle& h, const Wanted& w, RowOptions options) {
    const FrameHandle* found = s.handles.frame(h.frameId);
    if (!found) return staleFrame(h.frameId);
    FrameHandle frame = *found;
    Array rows;
    switch (h.kind) {
    case Kind::Locals: return localRows(s, frame, w, options);
    case Kind::Captures:
        for (const Variable& v : capturesOf(s, frame))
            rows.push_back(rowOf(s, v.name, v.datum, v.evaluateName, options));
        break;
    case Kind::Globals:
        for (const Variable& v : globalsOf(s, frame))
            rows.push_back(rowOf(s, v.name, v.datum, v.evaluateName, options));
        break;
    case Kind::Registers:
        for (const RegisterValue& r : s.engine->registers(frame.thread, frame.index))
            rows.push_back(plainRow(r.name, r.text));
        break;
    case Kind::Trace: addTrace(errorTraceOf(s, frame.thread), rows); break;
    case Kind::Value: break; // Values::children makes its rows
    }
    return page(std::move(rows), w);
}

} // namespace

Reply variables(Session& s, Arguments& a) {
    uint32_t reference = a.index("variablesReference");
    Wanted w = readWanted(a);
    RowOptions options = showOptions(a);
    if (!a.ok()) return {};
    const VariablesHandle* found = s.handles.variables(reference);
    if (!found) return staleVariables(reference);
    VariablesHandle h = *found;
    options.frameId = h.frameId;
    Array rows;
    if (h.trace) {
        if (h.kind == Kind::Trace) addTrace(errorTraceAt(s, *h.trace), rows);
        else rows.push_back(traceRow(s, *h.trace));
        return page(std::move(rows), w);
    }
    if (h.kind != Kind::Value) return frameRows(s, h, w, options);
    Values values = valuesOf(s);
    const std::vector<Child> children = values.children(h.datum, h.expression, {w.start, w.count, w.filter});
    rows.reserve(children.size()); // as it grows it would copy
    for (const Child& c : children) {
        if (rows.size() % 256 == 255 && s.cancelled()) return Reply::failure(Cancelled);
        rows.push_back(rowOf(s, c.name, c.datum, c.evaluateName, options));
    }
    return Object{{"variables", std::move(rows)}};
}

namespace {

/// A place in a constant that the program has as data.
bool isOfConstant(Session& s, const Datum& place) {
    if (place.place != Datum::Place::Memory || !s.program) return false;
    const std::vector<ir::Global>& globals = s.program->module.globals;
    for (uint32_t i = 0; i < globals.size(); ++i) {
        const ir::Global& g = globals[i];
        if (!g.isConst || g.isExtern) continue;
        std::optional<uint64_t> at = s.engine->addresses().addressOf(static_cast<ir::GlobalId>(i));
        if (at && place.address - *at < g.size) return true;
    }
    return false;
}

/// What a value was set to. Pointers are shown as addresses, which clients send back.
std::string sentValue(Session& s, const Datum& place, const std::string& text) {
    bool isAddress = llvm::StringRef(text).starts_with("0x") && text.size() > 2 &&
                     llvm::all_of(llvm::StringRef(text).drop_front(2), llvm::isHexDigit);
    if (!isAddress || !s.program || ForeignTypes::owns(place.type) || place.type == TypeId::None) return text;
    TypeKind kind = s.program->types.kind(place.type);
    if (kind == TypeKind::Optional) kind = s.program->types.kind(s.program->types.elem(place.type));
    return kind == TypeKind::Pointer || kind == TypeKind::ManyPointer ? "xx " + text : text;
}

/// The value of `text` goes to a place. Returns the place as it is then.
Result<Datum> assign(Session& s, Datum place, const std::string& text, const FrameHandle* frame,
                     const Variable* variable) {
    if (variable && !variable->fixed.empty()) return Failure{variable->fixed};
    if (variable && frame)
        if (std::string why = assignmentProblem(s, *frame, variable->slot); !why.empty()) return Failure{why};
    if (variable && frame && place.note == Datum::OptimizedOut)
        return Failure{"the optimizer has left no place for a value of " + code(asUtf8(variable->name))};
    if (isOfConstant(s, place)) return Failure{"this is a constant, which cannot be changed"};
    std::string value = sentValue(s, place, text);
    Result<Datum> assigned = assignTo(s, std::move(place), value, frame);
    if (assigned && variable && frame) s.givenValues.insert({frame->frame.address, variable->slot});
    if (!assigned || assigned->place != Datum::Place::Hand || assigned->bits.count != 0) return assigned;
    if (assigned->bytes.empty()) return assigned; // there is but one such value
    if (!variable || !frame) return Failure{"this value has no place"};
    std::vector<uint8_t> bytes(assigned->bytes.begin(), assigned->bytes.end());
    if (Result<void> r = s.engine->writeSlot(frame->thread, frame->index, variable->slot, bytes); !r)
        return r.failure();
    if (s.evaluator) s.evaluator->memory().program.forget();
    return assigned;
}

/// What else shows variables or memory has to be read again, where the client asked to be told.
void tellChanges(Session& s, const PageCache::Changes& changes) {
    if (s.client.memoryEvents)
        for (auto [address, size] : changes.ranges)
            s.event(
                "memory",
                Object{{"memoryReference", hexText(address)}, {"offset", 0}, {"count", static_cast<int64_t>(size)}});
    if (s.client.invalidated && changes.any) s.event("invalidated", Object{{"areas", Array{"variables"}}});
}

PageCache::Changes changesOf(Session& s) {
    return s.evaluator ? s.evaluator->memory().program.takeChanges() : PageCache::Changes();
}

Reply assigned(Session& s, Result<Datum> place, const std::string& expression, RowOptions options) {
    if (!place) return Reply::failure(place.error());
    PageCache::Changes changes;
    changes.any = true;
    if (place->place == Datum::Place::Memory)
        changes.ranges.emplace_back(place->address, valuesOf(s).sizeOf(place->type));
    if (place->bits.count != 0)
        changes.ranges.emplace_back(place->bits.address, (place->bits.shift + place->bits.count + 7) / 8);
    tellChanges(s, changes);
    Object o;
    describeValue(s, o, "value", *place, expression, options);
    return o;
}

} // namespace

Reply setVariable(Session& s, Arguments& a) {
    uint32_t reference = a.index("variablesReference");
    std::string name = a.text("name"), text = withoutObjectId(a.text("value"));
    RowOptions options = showOptions(a);
    if (!a.ok()) return {};
    const VariablesHandle* found = s.handles.variables(reference);
    if (!found) return staleVariables(reference);
    VariablesHandle h = *found;
    options.frameId = h.frameId;
    const FrameHandle* frame = s.handles.frame(h.frameId);
    if (h.kind == Kind::Value) {
        std::optional<FrameHandle> of;
        if (frame) of = *frame;
        Values values = valuesOf(s);
        Page page;
        for (page.count = 1000;; page.start += page.count) {
            std::vector<Child> some = values.children(h.datum, h.expression, page);
            for (const Child& c : some)
                if (c.name == name)
                    return assigned(s, assign(s, c.datum, text, of ? &*of : nullptr, nullptr), c.evaluateName, options);
            if (some.size() < page.count) return Reply::failure("there is no " + code(asUtf8(name)) + " here");
        }
    }
    if (!frame) return staleFrame(h.frameId);
    FrameHandle held = *frame;
    auto list = h.kind == Kind::Locals     ? declaredLocals(s, held)
                : h.kind == Kind::Captures ? capturesOf(s, held)
                : h.kind == Kind::Globals  ? globalsOf(s, held)
                                           : std::vector<Variable>();
    for (Variable& v : list) {
        if (v.name != name) continue;
        if (h.kind == Kind::Locals) readLocal(s, held, v);
        return assigned(s, assign(s, v.datum, text, &held, &v), v.evaluateName, options);
    }
    return Reply::failure("there is no variable " + code(asUtf8(name)) + " that could be set here");
}

Reply setExpression(Session& s, Arguments& a) {
    std::string expression = a.text("expression"), text = withoutObjectId(a.text("value"));
    std::optional<uint32_t> frameId = a.optionalIndex("frameId");
    RowOptions options = showOptions(a);
    if (!a.ok()) return {};
    Result<const FrameHandle*> frame = frameOf(s, frameId);
    if (!frame) return Reply::failure(frame.error());
    options.frameId = frameId.value_or(0);
    if (*frame) {
        FrameHandle held = **frame;
        for (auto list : {declaredLocals, capturesOf}) {
            if (held.frame.func == ir::FuncId::None) break;
            for (Variable& v : list(s, held)) {
                if (v.evaluateName != expression) continue;
                readLocal(s, held, v);
                return assigned(s, assign(s, v.datum, text, &held, &v), expression, options);
            }
        }
    }
    Result<Datum> place = evaluatePlace(s, expression, *frame);
    if (!place && llvm::StringRef(place.error()).ends_with(NotAssigned)) // a function may set it
        if (Result<Datum> set = evaluateAtPrompt(s, expression + " = " + text, *frame))
            return assigned(s, evaluateIn(s, expression, *frame, Unset::Taken), expression, options);
    if (!place) return Reply::failure(place.error());
    return assigned(s, assign(s, *place, text, *frame, nullptr), expression, options);
}

Reply evaluate(Session& s, Arguments& a) {
    std::string text = a.text("expression");
    std::optional<uint32_t> frameId = a.optionalIndex("frameId");
    std::string context = a.optionalText("context").value_or("");
    RowOptions options = showOptions(a);
    options.clipboard = context == "clipboard";
    if (!a.ok()) return {};
    if (s.phase == Phase::Ended) return Reply::failure("the program has ended");
    if (s.phase != Phase::Stopped) return Reply::failure("expressions are evaluated while the program is stopped");
    Result<const FrameHandle*> frame = frameOf(s, frameId);
    if (!frame) return Reply::failure(frame.error());
    options.frameId = frameId.value_or(0);
    if (llvm::StringRef(text).starts_with("`")) {
        Result<std::string> output = s.engine->command(text.substr(1));
        if (s.evaluator) s.evaluator->memory().program.forget(); // it may have changed anything
        handleEngineEvents(s);                                   // or let the program go on
        if (!output) return Reply::failure(output.error());
        return Object{{"result", asUtf8(*output)}, {"variablesReference", 0}};
    }
    if (*frame)
        for (const Variable& v : declaredLocals(s, **frame))
            if (v.evaluateName == text && !hasValue(s, **frame, v))
                return Object{{"result", NotSet},
                              {"type", writtenName(s.program->types, v.datum.type)},
                              {"variablesReference", 0}};
    (void)changesOf(s); // of others
    Result<Datum> value =
        context == "repl" ? evaluateAtPrompt(s, text, *frame) : evaluateIn(s, text, *frame, Unset::Refused);
    if (context == "repl") tellChanges(s, changesOf(s));
    if (!value) return Reply::failure(value.error());
    Object o;
    describeValue(s, o, "result", *value, text, options);
    return o;
}

} // namespace sx::debugger
