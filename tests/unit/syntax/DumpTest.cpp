// The text form of a whole small program.
#include "SyntaxFixture.h"

#include <catch2/catch.hpp>

using namespace sx::test;

TEST_CASE("the dump shows every node with its span") {
    const Parsed parsed(R"(#import "modules/std.sx";

E :: error { Low }

read :: (n: i64 = 1) -> (i64, !E) {
    if n < 0 raise error.Low;
    for 0..n, xs (i, *x) { x.* += i; }
    return n;
}
)");
    CHECK(parsed.dump() == R"(File t.sx
  Import "modules/std.sx" <1:1-1:26>
  ErrorSet E { Low } <3:1-3:19>
  Function read <5:1-9:2>
    Param n <5:10-5:20>
      type: Name i64 <5:13-5:16>
      default: Int 1 <5:19-5:20>
    result: ResultList <5:25-5:34>
      Elem <5:26-5:29>
        Name i64 <5:26-5:29>
      Elem <5:31-5:33>
        ErrorChannel <5:31-5:33>
          Name E <5:32-5:33>
    body: Block <5:35-9:2>
      ExprStmt value <6:5-6:30>
        If guard <6:5-6:30>
          cond: Binary < <6:8-6:13>
            Name n <6:8-6:9>
            Int 0 <6:12-6:13>
          then: Block <6:14-6:30>
            Raise <6:14-6:30>
              ErrorTag Low <6:20-6:29>
      ExprStmt value <7:5-7:39>
        For (i, *x) <7:5-7:39>
          over: Range <7:9-7:13>
            from: Int 0 <7:9-7:10>
            to: Name n <7:12-7:13>
          over: Name xs <7:15-7:17>
          body: Block <7:26-7:39>
            Assign += <7:28-7:37>
              Deref <7:28-7:31>
                Name x <7:28-7:29>
              Name i <7:35-7:36>
      Return <8:5-8:14>
        Name n <8:12-8:13>
)");
}
