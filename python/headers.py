"""Reads the public headers of gpufilter: their functions, structs, enumerators and INIT macros.

The headers are plain C99 of one style, so a few patterns are enough; what they do not understand they refuse.
"""
import re
from pathlib import Path

FOLDERS = ["kernels", "filters", "pipeline"]
SCALARS = {"void": "None", "int": "c_int", "float": "c_float", "double": "c_double", "char": "c_char",
           "size_t": "c_size_t", "gf_device": "c_int32", "gf_value_id": "c_int32"}
SCALARS |= {f"{sign}int{bits}_t": f"c_{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}


class Headers:
    """What the headers declare, in the order in which a reader meets it.

    functions: name -> (type of the result, [types of the arguments]); structs: name -> [(field, type)];
    numbers: enumerators and #defines of numbers; inits: struct -> the tuple of its INIT macro as text.
    """

    def __init__(self, root: Path):
        text = self._joined(root)
        self.numbers, self.inits, self.structs, self.functions = {}, {}, {}, {}
        self.enums, self.callbacks = set(), {}
        self._defines(text)
        text = re.sub(r"^[ \t]*#.*?(?<!\\)$", "", text, flags=re.M | re.S)
        self._enums(text)
        for match in re.finditer(r"typedef ([\w ]+?) \(\*(\w+)\)\((.*?)\);", text, re.S):
            self.callbacks[match[2]] = self.callback(match[1], match[3])
        for match in re.finditer(r"typedef struct (\w+) \{(.*?)\n\} \1;", text, re.S):
            self.structs[match[1]] = self._fields(match[2])
        for match in re.finditer(r"GF_API ([^;{}]*?)(\w+)\(([^;{}]*?)\);", text, re.S):
            self.functions[match[2]] = (match[1], match[3])

    @staticmethod
    def _joined(root):
        """All headers, each behind those that it includes, without comments."""
        texts, seen = [], set()

        def add(name):
            path = next((p for f in FOLDERS if (p := root / f / "include" / name).exists()), None)
            if path is None or path in seen:
                return
            seen.add(path)
            text = path.read_text()
            for inner in re.findall(r'#include "(gpufilter/\w+\.h)"', text):
                add(inner)
            texts.append(re.sub(r"/\*.*?\*/", "", text, flags=re.S))

        add("gpufilter/gpufilter.h")
        return "\n".join(texts)

    def _defines(self, text):
        for name, body in re.findall(r"#define (GF_\w+_INIT)\b(.*?[^\\])\n", text, re.S):
            body = re.sub(r"[\\\s]+", " ", body)
            struct = re.search(r"sizeof\((\w+)\)", body)[1]
            body = re.sub(r"U?INT64_C\((\d+)\)", r"\1", body.replace("NULL", "None").replace('""', 'b""'))
            self.inits[struct] = re.sub(r",? *\}", ",)", re.sub(r"\{ *", "(", body)).strip()
        for name, value in re.findall(r"#define (GF_[A-Z0-9_]+) +\(?(-?\d+)\)?\s*\n", text):
            self.numbers[name] = int(value)

    def _enums(self, text):
        for name, body in re.findall(r"enum (?:(\w+) )?\{([^{}]*)\}", text):
            self.enums.add(name)
            value = -1
            for item in filter(None, (part.strip() for part in body.split(","))):
                word, _, given = (part.strip() for part in item.partition("="))
                value = int(eval(given, {}, self.numbers)) if given else value + 1  # a constant expression
                self.numbers[word] = value

    def callback(self, result, arguments):
        types = [self.type(result), *map(self.argument, self._split(arguments))]
        return f"CFUNCTYPE({', '.join(types)})"

    @staticmethod
    def _split(arguments):
        return [] if arguments.strip() == "void" else [part.strip() for part in arguments.split(",")]

    def _fields(self, body):
        fields = []
        for item in filter(None, (" ".join(part.split()) for part in body.split(";"))):
            pointer = re.fullmatch(r"([\w *]+?)\(\*(\w+)\)\((.*)\)", item)
            if pointer:
                fields.append((pointer[2], self.callback(pointer[1], pointer[3])))
                continue
            base, names = re.fullmatch(r"((?:const |struct )*\w+(?: \*const| const)?)((?: |\*).+)", item).groups()
            for name in names.split(","):
                stars, word, size = re.fullmatch(r"([ *]*(?:const )?\*?)(\w+)(?:\[(\w+)\])?", name.strip()).groups()
                kind = self.type(base + stars)
                length = self.numbers.get(size, size)
                fields.append((word, f"{kind} * {length}" if size else kind))
        return fields

    def argument(self, text):
        """The type of an argument with or without its name; byref() of anything is taken for a pointer to one."""
        text = re.sub(r"\b(\w+)$", lambda m: "" if re.search(r"[\w*] *$", text[:m.start()]) and
                      not self._is_type(m[1]) else m[1], text.strip())
        return "c_void_p" if text.count("*") > 1 or "[" in text else self.type(text)

    def _is_type(self, word):
        return word in SCALARS or word.startswith("gf_") or word in ("char", "int")

    def type(self, text):
        words = re.sub(r"\b(const|struct|enum)\b", " ", text).replace("*", " * ").split()
        base, stars = words[0], words.count("*")
        if base in self.callbacks:
            return self.callbacks[base]
        if stars == 0:
            if base in self.enums or base in self.structs:
                return "c_int" if base in self.enums else base
            return SCALARS[base]
        if base == "char" and stars == 1:
            return "c_char_p"
        if base not in self.structs or stars > 2:
            return "c_void_p"
        return f"POINTER({base})" if stars == 1 else f"POINTER(POINTER({base}))"

    def prototype(self, name):
        """(type of the result, [types of the arguments]) of a function."""
        result, arguments = self.functions[name]
        return self.type(result), [self.argument(part) for part in self._split(arguments)]
