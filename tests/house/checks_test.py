#!/usr/bin/env python3
"""The checks of this folder find what they are for."""

import tempfile
import os
import unittest

import includes
from measures import classes, functions, function_name
from sources import blanked


class Measures(unittest.TestCase):
    def names(self, text):
        return [(name, last - first + 1) for name, first, last in functions(text)]

    def test_functions_of_every_kind(self):
        self.assertEqual(self.names("int f(int a,\n      int b) {\n    if (a) {\n    }\n}\n"), [("f", 5)])
        self.assertEqual(self.names("namespace a {\nnamespace {\nvoid f() {\n}\n}\n}\n"), [("f", 2)])
        self.assertEqual(self.names("class A : B<C> {\n    int f() const {\n    }\n};\n"), [("f", 2)])
        self.assertEqual(self.names("A::A(int n) : a_{n}, b_(n) {\n    f();\n}\n"), [("A", 3)])
        self.assertEqual(self.names("template <class T> bool operator==(T a, T b) {\n}\n"), [("operator==", 2)])
        self.assertEqual(self.names("struct P f(void) {\n}\n"), [("f", 2)])
        self.assertEqual(self.names("TEST(x)\n\nnamespace {\nvoid g() {\n}\n}\n"), [("g", 2)])

    def test_what_is_no_function(self):
        self.assertEqual(self.names("struct A {\n    int n = f();\n};\nint t[] = {f(1)};\nauto l = [](int) {\n};\n"), [])

    def test_braces_in_texts(self):
        self.assertEqual(self.names("void f() {\n    g(\"}\", '}', R\"(})\"); // }\n#define X }\n    int n = 1'000'000;\n}\n"), [("f", 5)])
        self.assertEqual(blanked('a "b"\n/* c\n d */ e').count("\n"), 2)

    def test_name(self):
        self.assertEqual(function_name("static void* const f(int)"), "f")
        self.assertIsNone(function_name("enum class A : uint8_t"))


class Classes(unittest.TestCase):
    def counts(self, text):
        return [(name, count) for name, _, count in classes(text)]

    def test_functions_of_every_kind(self):
        self.assertEqual(self.counts("class A : B<int> {\npublic:\n    explicit A(int n) : a_{n}, b_(n) {}\n    ~A();\n    A(const A&) = delete;\n};"),
                         [("A", 3)])
        self.assertEqual(self.counts("struct A {\n    template <class T> T f(T t = {}) const { if (t) { g(); } }\n    bool operator<(A) const;\n};"),
                         [("A", 2)])
        self.assertEqual(self.counts("struct A {\n    virtual std::map<int, A*> f() = 0;\n    [[nodiscard]] static A* g(void (*h)(int)) noexcept;\n};"),
                         [("A", 2)])

    def test_what_is_none(self):
        self.assertEqual(self.counts("struct A {\n    int n = f(1), m{g()};\n    std::function<void(int)> h;\n    void (*p)(int) = nullptr;\n};"),
                         [("A", 0)])
        self.assertEqual(self.counts("struct A {\n    using F = void(int);\n    friend void f(A);\n    enum class E { x = f(1) };\n    // int g();\n};"),
                         [("A", 0)])
        self.assertEqual(self.counts("enum class A : int { b };\nclass A;\nvoid f(struct A* a) { g(); }"), [])

    def test_heads_of_every_kind(self):
        self.assertEqual(self.counts("template <> class [[nodiscard]] A<B<void>, (2 > 1)> : C<int> {\n    void f();\n};"), [("A", 1)])
        self.assertEqual(self.counts("struct alignas(8) A final {\n    void f();\n};\nunion B {\n    B();\n    void g();\n};"), [("A", 1), ("B", 2)])
        self.assertEqual(self.counts("template <class A, class B> void f(A a) {\n    g();\n}\nunion C* h() {\n    g();\n}"), [])

    def test_classes_within(self):
        self.assertEqual(self.counts("class A {\n    struct B {\n        void f();\n    } b;\n    void g();\n    void h();\n};"), [("A", 2), ("B", 1)])


class Includes(unittest.TestCase):
    def complaints(self, block, files):
        with tempfile.TemporaryDirectory() as root:
            files = {path if path.startswith("debugger/") else "compiler/" + path: text for path, text in files.items()}
            for path, text in {**files, "docs/architecture.md": "```includes\n" + block + "```\n"}.items():
                os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as f:
                    f.write(text)
            return includes.check_includes(root, sorted(files), includes.rows(root))

    FILES = {"a/A.h": "", "b/B.h": '#include "a/A.h"\n', "b/room/R.h": '#include "b/B.h"\n'}

    def test_listed_arrows_pass(self):
        self.assertEqual(self.complaints("a:\nb: a\n", self.FILES), [])
        self.assertEqual(self.complaints("a:\nb: a\nb/room: b\n", self.FILES), [])
        outside = {**self.FILES, "debugger/d/D.h": '#include "b/B.h"\n'}
        self.assertEqual(self.complaints("a:\nb: a\ndebugger/d: b\n", outside), [])

    def test_others_fail(self):
        self.assertIn("b may not include a", self.complaints("a:\nb:\n", self.FILES)[0])
        self.assertIn("b/room may not include b", self.complaints("a:\nb: a\nb/room:\n", self.FILES)[0])
        self.assertIn("has no row", self.complaints("a:\n", self.FILES)[0])
        self.assertIn("a does not include b", self.complaints("a: b\nb: a\n", self.FILES)[0])
        self.assertIn("back to it", self.complaints("a: b\nb: a\n", self.FILES)[1])
        outside = {**self.FILES, "debugger/d/D.h": '#include "b/B.h"\n', "debugger/e/E.h": '#include "debugger/d/D.h"\n'}
        self.assertIn("debugger/d may not include b", self.complaints("a:\nb: a\ndebugger/d:\ndebugger/e: debugger/d\n", outside)[0])
        self.assertIn("debugger/e may not include debugger/d", self.complaints("a:\nb: a\ndebugger/d: b\ndebugger/e:\n", outside)[0])
        self.assertIn("only codegen and", self.complaints("a:\n", {"a/A.h": '#include "llvm/IR/Module.h"\n'})[0])


if __name__ == "__main__":
    unittest.main()
