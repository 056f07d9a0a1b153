# Samples, lines of `contender metric value`, to the table on stdout and to a JSON file.

{ key = $1 SUBSEP $2; value[key, ++count[key]] = $3 + 0; metrics[$2] }

# Sorts the samples of a key, by insertion: there are few.
function sorted(key, i, j, v) {
    for (i = 2; i <= count[key]; ++i) {
        v = value[key, i]
        for (j = i - 1; j >= 1 && value[key, j] > v; --j) value[key, j + 1] = value[key, j]
        value[key, j + 1] = v
    }
}

function quantile(key, q, at, low) {
    at = 1 + (count[key] - 1) * q
    low = int(at)
    return value[key, low] + (at - low) * (value[key, low < count[key] ? low + 1 : low] - value[key, low])
}

function has(c, m) { return (c, m) in count }
function median(c, m) { return quantile(c SUBSEP m, 0.5) }
# Half of the range in which the middle half of the samples lies.
function spread(c, m) { return (quantile(c SUBSEP m, 0.75) - quantile(c SUBSEP m, 0.25)) / 2 }

function number(v) { return sprintf(v < 99.95 ? "%.1f" : "%.0f", v) }
function cell(c, m) { return has(c, m) ? number(median(c, m)) " ±" number(spread(c, m)) : "-" }
# ns for each of the hops of a failure through so many levels.
function hop(c, depth) { return (median(c, "fail_" depth) - median(c, "fail_1")) / (depth - 1) }
function hopCell(c, depth) { return has(c, "fail_" depth) ? sprintf("%.2f", hop(c, depth)) : "-" }

function baseline(c) { return c ~ /^sx/ ? "sx-plain" : c ~ /^zig/ ? "zig-plain" : "codes" }
function added(c) { return has(baseline(c), "size") ? sprintf("%.1f", (median(c, "size") - median(baseline(c), "size")) / 1024) : "-" }

# Pads by characters: awk counts bytes, and ± has two.
function pad(text, width, shown) {
    shown = text
    gsub(/±/, "+", shown)
    return sprintf("%" (width - length(shown)) "s%s", "", text)
}

function writeJson(i, c, m, key, first) {
    printf "{\"machine\":\"%s\",\"rounds\":%d,\"contenders\":{", machine, rounds >json
    for (i = 1; i <= contenders; ++i) {
        c = name[i]
        printf "%s\"%s\":{", (i > 1 ? "," : ""), c >json
        first = 1
        for (m in metrics) {
            if (!has(c, m)) continue
            key = c SUBSEP m
            printf "%s\"%s\":{\"median\":%g,\"low\":%g,\"high\":%g,\"spread\":%g}", (first ? "" : ","), m, quantile(key, 0.5),
                quantile(key, 0), quantile(key, 1), spread(c, m) >json
            first = 0
        }
        printf "}" >json
    }
    print "}}" >json
}

function verdict(text, holds) { printf "  %-6s  %s\n", holds ? "holds" : "MISSED", text }

# What the run says about the targets of the trace runtime, with hops in place and by calls.
function writeTargets(v) {
    print "\nTargets:"
    writePathTargets("traced")
    writePathTargets("by-call")
    writeSxTargets()
    v = median("traced", "render_first")
    verdict(sprintf("32 frames rendered for the first time in under 100 µs: %.1f", v), v < 100)
    v = median("traced", "render_later")
    verdict(sprintf("and later in under 20 µs: %.1f", v), v < 20)
    v = median("traced", "peak") - median("expected", "peak")
    verdict(sprintf("peak memory unchanged: %+d KB of %d", v, median("expected", "peak")), v <= 64)
}

# Compiled sx with traces against the same without.
function writeSxTargets(depth, v) {
    if (!has("sx", "fail_31") || !has("sx-plain", "fail_31")) return
    for (depth = 8; depth <= 31; depth += 23) {
        v = hop("sx", depth) - hop("sx-plain", depth)
        verdict(sprintf("sx: a hop at most %.1f ns over sx-plain, %d levels: %.2f ns", depth == 8 ? 0.3 : 1, depth, v), v <= (depth == 8 ? 0.3 : 1))
    }
    v = median("sx", "render_first")
    verdict(sprintf("sx: 32 frames rendered for the first time in under 40 µs: %.1f", v), v < 40)
    v = median("sx", "render_later")
    verdict(sprintf("sx: and later in under 12 µs: %.1f", v), v < 12)
}

function writePathTargets(ours, depth, c, v, cheapest, by) {
    v = median(ours, "success_8") - median("expected", "success_8")
    verdict(sprintf("%s: success path equal to std::expected within noise: %+.2f ns of %.1f", ours, v, median("expected", "success_8")),
        v <= 3 * (spread(ours, "success_8") + spread("expected", "success_8")) + 0.02 * median("expected", "success_8"))
    if (has(ours, "instructions")) {
        v = median(ours, "instructions") - median("expected", "instructions")
        verdict(sprintf("%s: and to the instruction: %+.2f of %.0f a call", ours, v, median("expected", "instructions")), v <= 0)
    }
    for (depth = 8; depth <= 31; depth += 23) {
        v = hop(ours, depth) - hop("expected", depth)
        verdict(sprintf("%s: a hop at most 1.5 ns over std::expected, %d levels: %.2f ns", ours, depth, v), v <= 1.5)
        by = ""
        for (c in recorders) {
            if (has(c, "fail_" depth) && (by == "" || hop(c, depth) < cheapest)) { cheapest = hop(c, depth); by = c }
        }
        if (by == "") continue
        c = sprintf("%s: and 8 times cheaper than what records a location a frame, %.2f ns (%s): ", ours, cheapest - hop("expected", depth), by)
        if (v <= 0) verdict(c "no cost at all", 1)
        else verdict(c sprintf("%.1f times", (cheapest - hop("expected", depth)) / v), (cheapest - hop("expected", depth)) / v >= 8)
    }
}

END {
    contenders = split(order, name, " ")
    for (key in count) sorted(key)
    recorders["backtrace"]; recorders["stacktrace"]; recorders["leaf-hops"]; recorders["zig"]
    print machine
    print "ns, but µs for rendering and KB for size and peak; median of " rounds " ±half of the interquartile range\n"
    split("contender|success 8|instr.|fail 1|fail 8|fail 31|hop/8|hop/31|first µs|later µs|size +KB|peak KB", head, "|")
    split("12 14 8 14 14 16 8 8 16 16 9 8", width, " ")
    for (i = 1; i <= 12; ++i) printf "%s", pad(head[i], width[i] + (head[i] ~ /µ/))
    print ""
    for (i = 1; i <= contenders; ++i) {
        c = name[i]
        printf "%s%s%s", pad(c, 12), pad(cell(c, "success_8"), 14), pad(has(c, "instructions") ? sprintf("%.1f", median(c, "instructions")) : "-", 8)
        printf "%s%s%s%s%s", pad(cell(c, "fail_1"), 14), pad(cell(c, "fail_8"), 14), pad(cell(c, "fail_31"), 16), pad(hopCell(c, 8), 8), pad(hopCell(c, 31), 8)
        printf "%s%s%s%s\n", pad(cell(c, "render_first"), 16), pad(cell(c, "render_later"), 16), pad(added(c), 9), pad(has(c, "peak") ? median(c, "peak") : "-", 8)
    }
    writeTargets()
    writeJson()
}
