#!/bin/bash
# Proves: compile-time code chooses link flags and the output of `sx build`, `-o` wins over it, and `sx run` evaluates the same code
# to no effect; the functions of the build configuration cannot be reached at run time.
. "$(dirname "$0")/lib.sh"

cat >program.sx <<'END'
#import "modules/std.sx";
#import "modules/build.sx";
configure :: () {
    options := build_options();
    options.set_output_path("chosen");
    options.add_link_flag("-Map=program.map");
    options.add_asset_dir("art", "assets");
    options.set_bundle_id("org.example");
}
#run configure();
NAME :: #run { configure(); build_options().binary_path() };
SUMMARY :: #run {
    o := build_options();
    o.add_framework("One");
    format("{} {} {} {} {} [{}]", o.target_triple(), o.framework_at(0), o.framework_count(), o.is_macos(), o.asset_dir_count(), o.keystore_path())
};
main :: () { print("{} {}\n", NAME, SUMMARY); }
END
summary='x86_64-unknown-linux-gnu One 1 false 1 []'

sx build program.sx
expect_status 0
check "the executable stands where the program said" [ -x chosen ]
check "the linker got the flag" [ -s program.map ]
run ./chosen
expect_out "chosen $summary\n"

rm -f chosen program.map
sx build -o given program.sx
expect_status 0
check "-o wins" [ -x given -a ! -e chosen ]
run ./given
expect_out "given $summary\n"

rm -f given program.map
sx run program.sx
expect_status 0
expect_out_has '^chosen x86_64-unknown-linux-gnu One 1 false 1'
check "nothing is linked" [ ! -e chosen -a ! -e program.map ]

# At run time there is no build.
cat >late.sx <<'END'
#import "modules/build.sx";
main :: () { build_options().add_link_flag("-lm"); }
END
sx run late.sx
expect_status 1
expect_err_has '^error: `raw_build_note`'
expect_err_has '^  add_link_flag$'

# A build step of the program's own is refused, and stored under `run`.
cat >own.sx <<'END'
#import "modules/build.sx";
step :: (options: BuildOptions) -> bool { false }
#run on_build(step);
main :: () { }
END
sx run own.sx
expect_status 0
sx build own.sx
expect_status 1
expect_one_error 'on_build'

finish
