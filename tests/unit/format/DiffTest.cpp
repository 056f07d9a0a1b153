#include "format/UnifiedDiff.h"

#include <catch2/catch.hpp>

using sx::format::unifiedDiff;

TEST_CASE("unified differences") {
    CHECK(unifiedDiff("t", "a\nb\n", "a\nb\n") == "");
    CHECK(unifiedDiff("t", "a\nb\nc\n", "a\nx\nc\n") == "--- t.orig\n+++ t\n@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n");
    CHECK(unifiedDiff("t", "a", "a\n") == "--- t.orig\n+++ t\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
    CHECK(unifiedDiff("t", "", "a\n") == "--- t.orig\n+++ t\n@@ -0,0 +1 @@\n+a\n");
    CHECK(unifiedDiff("t", "a\n", "") == "--- t.orig\n+++ t\n@@ -1 +0,0 @@\n-a\n");
}

TEST_CASE("changes far apart are hunks of their own, near ones share one") {
    CHECK(unifiedDiff("t", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "x\n2\n3\n4\n5\n6\n7\n8\ny\n") ==
          "--- t.orig\n+++ t\n@@ -1,4 +1,4 @@\n-1\n+x\n 2\n 3\n 4\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n+y\n");
    CHECK(unifiedDiff("t", "1\n2\n3\n4\n5\n6\n7\n8\n", "x\n2\n3\n4\n5\n6\n7\ny\n") ==
          "--- t.orig\n+++ t\n@@ -1,8 +1,8 @@\n-1\n+x\n 2\n 3\n 4\n 5\n 6\n 7\n-8\n+y\n");
}

TEST_CASE("texts that differ everywhere") {
    std::string before, after;
    for (int i = 0; i < 30000; ++i) {
        before += "a" + std::to_string(i) + "\n";
        after += "b" + std::to_string(i) + "\n";
    }
    CHECK(unifiedDiff("t", before, after).rfind("--- t.orig\n+++ t\n@@ -1,30000 +1,30000 @@\n-a0\n", 0) == 0);
}
