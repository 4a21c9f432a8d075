"""Where script/mutate changes kernels, and how: the sites of device code, and the operators that apply there, which
docs/mutation.md lists. A change keeps every line where it is."""

import collections
import hashlib
import pathlib
import re

SWAPS = {}
for operator, pairs in {
    "arithmetic": "+ - + * - + * + / * % / += -= -= += *= /= /= *=",
    "bound": "< <= <= < > >= >= >",
    "equal": "== != != ==",
    "logic": "&& || || &&",
    "shift": "<< >> >> << <<= >>= >>= <<=",
    "bits": "& | | & ^ | &= |= |= &= ^= |=",
}.items():
    words = pairs.split()
    for old, new in zip(words[::2], words[1::2]):
        SWAPS.setdefault(old, []).append((operator, new))

BARRIERS = set("__syncthreads gf_syncwarp __syncwarp gf_cp_async_commit gf_cp_async_wait".split())
PLAIN = {  # what an access without its order and atomicity is; p and v: its arguments, old: what was there
    "gf_load_acquire": "old",
    "gf_load_relaxed": "old",
    "gf_store_release": "*p = v",
    "gf_store_relaxed": "*p = v",
    "gf_atomic_add": "*p = old + v",
    "gf_atomic_add_acq_rel": "*p = old + v",
    "gf_atomic_min": "*p = v < old ? v : old",
    "gf_atomic_max": "*p = old < v ? v : old",
}
ASSIGNING = set("= += -= *= /= %= &= |= ^= <<= >>= ++ --".split())
NO_EXPRESSION = set(
    "if for while switch do else case default const constexpr static using struct return template typename "
    "unsigned int float double bool char static_assert continue break".split()
)
TOKEN = re.compile(
    r"(?P<id>[A-Za-z_]\w*)|(?P<float>\d+\.\d*(?:[eE][+-]?\d+)?[fF]?)|(?P<int>0[xX][0-9a-fA-F]+[uUlL]*|\d+[uUlL]*)"
    r"|(?P<op><<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||::|[-+*/%&|^]=|[-+*/%&|^~!<>=?:;,.(){}\[\]])"
)

Token = collections.namedtuple("Token", "text kind start end")
Site = collections.namedtuple("Site", "id file line operator start end new")
Function = collections.namedtuple("Function", "name kernel start end")  # start, end: between its braces


def blank(text):
    """The text without comments, strings, directives and what GF_EMU leaves out: spaces stand for them."""
    text = re.sub(
        r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'',
        lambda match: re.sub(r"[^\n]", " ", match.group()),
        text,
        flags=re.S,
    )
    lines, conditions, directive = [], [], None
    for line in text.split("\n"):
        start = re.match(r"\s*#\s*(\w+)(.*)", line) if directive is None else None
        if start:
            directive, rest = start.groups()
            if directive.startswith("if"):
                emulated = directive != "ifndef" and "!defined" not in rest
                conditions.append(emulated if re.search(r"\bGF_EMU\b", rest) else None)
            elif directive in ("else", "elif") and conditions[-1] is not None:
                conditions[-1] = not conditions[-1] and conditions[-1] is not None
            elif directive == "endif":
                conditions.pop()
        live = False not in conditions and not start and directive in (None, "define")
        kept = re.sub(r"\\$", " ", line)
        lines.append(kept if live else " " * len(line))
        directive = directive if line.endswith("\\") else None
    return "\n".join(lines)


def tokens_of(text, start, end):
    return [Token(m.group(), m.lastgroup, m.start(), m.end()) for m in TOKEN.finditer(text, start, end)]


def closing(tokens, i):
    """The index of the bracket that closes tokens[i]."""
    depth = 0
    for j in range(i, len(tokens)):
        depth += (tokens[j].text in "([{") - (tokens[j].text in ")]}")
        if depth == 0:
            return j
    return len(tokens) - 1


def functions_of(text, marked):
    """The device functions of a blanked file, in order; marked: the words that mark one."""
    tokens = tokens_of(text, 0, len(text))
    found, i = [], 0
    while i < len(tokens):
        if tokens[i].text not in marked:
            i += 1
            continue
        kernel, name = tokens[i].text == "__global__", None
        while i < len(tokens) and tokens[i].text not in (";", "{"):
            kernel = kernel or tokens[i].text == "__global__"
            if tokens[i].text == "(":
                previous = tokens[i - 1].text
                name = name if previous in ("__launch_bounds__", "__attribute__") else name or previous
                i = closing(tokens, i)
            i += 1
        if i < len(tokens) and tokens[i].text == "{" and name:
            end = closing(tokens, i)
            found.append(Function(name, kernel, tokens[i].end, tokens[end].start))
            i = end
    return found


def is_binary(text, tokens, i):
    """Does the operator stand between two operands? The layout says so: clang-format puts spaces around it."""
    t = tokens[i]
    if not text[t.start - 1].isspace():
        return False
    if text[t.end].isspace():
        return True
    # "a + b *c", which clang-format takes for a declaration
    return t.text in "*&" and i > 1 and tokens[i - 1].kind != "op" and tokens[i - 2].text in "+-*/%"


def expression_sites(text, tokens):
    """(operator, start, end, new text) of the operators that look at one token."""
    for i, t in enumerate(tokens):
        follower = tokens[i + 1].text if i + 1 < len(tokens) else ""
        if t.kind == "op" and t.text in SWAPS and is_binary(text, tokens, i):
            for operator, new in SWAPS[t.text]:
                yield operator, t.start, t.end, new
        elif t.text == "!":
            yield "negate", t.start, t.end, ""
        elif t.kind == "int":
            digits, suffix = re.match(r"(0[xX][0-9a-fA-F]+|\d+)(.*)", t.text).groups()
            for value in (int(digits, 0) + 1, int(digits, 0) - 1):
                number = hex(value) if digits[:2] in ("0x", "0X") else str(value)
                yield "literal", t.start, t.end, number + suffix if value >= 0 else f"({number})"
        elif t.text in ("if", "while") and follower == "(":
            end = closing(tokens, i + 1)
            inside = text[tokens[i + 1].end : tokens[end].start]
            yield "negate", tokens[i + 1].end, tokens[end].start, f"!({inside})"
        elif t.kind == "id" and follower == "(":
            if t.text in PLAIN:
                yield from plain_site(text, tokens, i)
            other = re.sub(r"_(min|max)(?=_|$)", lambda m: "_min" if m[1] == "max" else "_max", t.text)
            if other != t.text:
                yield "minmax", t.start, t.end, other


def plain_site(text, tokens, i):
    end, depth, cuts = closing(tokens, i + 1), 0, []
    for t in tokens[i + 1 : end]:
        depth += (t.text in "([{") - (t.text in ")]}")
        if t.text == "," and depth == 1:
            cuts.append(t)
    edges = [tokens[i + 1].end] + [x for cut in cuts for x in (cut.start, cut.end)] + [tokens[end].start]
    arguments = [text[a:b].strip() for a, b in zip(edges[::2], edges[1::2])]
    if len(arguments) == (1 if "load" in tokens[i].text else 2):
        value = f"std::decay_t<decltype(*p)> v = {arguments[1]}; " if len(arguments) == 2 else ""
        old = "auto old = *p; "
        new = f"({{ auto *p = {arguments[0]}; {value}{old}{PLAIN[tokens[i].text]}; old; }})"
        yield "atomic", tokens[i].start, tokens[end].end, new


def statement_sites(text, tokens):
    """The same of the operators that delete a statement."""
    start = True
    for i, t in enumerate(tokens):
        if start and t.text not in "{};":
            yield from deleted(text, tokens, i)
        start = t.text in ("{", "}", ";", "else") or (
            t.text == ":" and any(x.text in ("case", "default") for x in tokens[max(0, i - 4) : i])
        )


def deleted(text, tokens, i):
    j, assigns = i, False
    while j < len(tokens) and tokens[j].text not in (";", "{", "}"):
        if tokens[j].text in ("(", "["):
            j = closing(tokens, j)
        elif tokens[j].text in ASSIGNING:
            assigns = True
        j += 1
    if j >= len(tokens) or tokens[j].text != ";":
        return
    first, second = tokens[i], tokens[i + 1]
    span = (first.start, tokens[j].start, re.sub(r"[^\n]", "", text[first.start : tokens[j].start]))
    if first.text in ("continue", "break") or (first.text == "return" and second.text == ";"):
        yield ("jump", *span)
    elif first.text in BARRIERS:
        yield ("barrier", *span)
    elif first.text in NO_EXPRESSION or (first.kind == "id" and second.kind == "id"):
        return  # a declaration, or no expression
    elif second.text in ASSIGNING or not text[second.start - 1].isspace():
        yield ("assignment" if assigns else "call", *span)


def sites_of_file(root, name):
    text = (root / name).read_text()
    clean = blank(text)
    for function in device_functions(root, name):
        tokens = tokens_of(clean, function.start, function.end)
        tokens = without_declarations(tokens)
        found = set(expression_sites(clean, tokens)) | set(statement_sites(clean, tokens))
        for operator, start, end, new in sorted(found):
            line = text.count("\n", 0, start) + 1
            column = start - text.rfind("\n", 0, start)
            key = f"{name}:{line}:{column}:{operator}:{new}"
            yield Site(hashlib.sha256(key.encode()).hexdigest()[:8], name, line, operator, start, end, new)


def without_declarations(tokens):
    """The tokens without static_assert and using."""
    kept, skip = [], False
    for t in tokens:
        skip = skip or t.text in ("static_assert", "using")
        if not skip:
            kept.append(t)
        skip = skip and t.text != ";"
    return kept


def device_functions(root, name):
    marked = {"__global__", "__device__", "GF_DEVICE_FN"}
    if name.endswith("/gf_border.h"):
        marked.add("GF_HD")
    return functions_of(blank((root / name).read_text()), marked)


def kernel_files(root):
    files = (p.relative_to(root).as_posix() for p in (root / "kernels").rglob("*"))
    return sorted(f for f in files if re.search(r"\.(cuh?|h)$", f) and not f.endswith("/gf_ptx.h"))


def sites(root):
    return [site for name in kernel_files(root) for site in sites_of_file(root, name)]


def kernels(root):
    """The body of every __global__ function as a site that empties it."""
    for name in kernel_files(root):
        text = (root / name).read_text()
        for f in device_functions(root, name):
            if f.kernel:
                lines = re.sub(r"[^\n]", "", text[f.start : f.end])
                yield Site(f"body:{f.name}", name, text.count("\n", 0, f.start) + 1, "body", f.start, f.end, lines)

