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

# A build step of the program's own replaces the default one, and is stored under `run`.
cat >own.sx <<'END'
#import "modules/std.sx";
#import "modules/build.sx";
#import "modules/compiler.sx";
refuse :: (options: BuildOptions) -> bool { false }
usual :: (options: BuildOptions) -> bool {
    print("building {}\n", options.binary_path());
    default_pipeline(options)
}
parts :: (options: BuildOptions) -> bool {
    objects : List(string);
    objects.append(emit_object());
    print("{} {} {}\n", build_output(), build_target(), build_flags().items);
    link(objects, "elsewhere", link_libraries(), build_frameworks(), build_flags(), build_target())
}
broken :: (options: BuildOptions) -> bool {
    objects : List(string);
    objects.append("no_such.o");
    link(objects, build_output(), link_libraries(), build_frameworks(), build_flags(), build_target())
}
#run on_build(STEP);
main :: () { print("it runs\n"); }
END
with_step() { sed "s/STEP/$1/" own.sx >step.sx; }
with_step usual
sx run step.sx
expect_status 0
expect_out_has '^it runs$'
sx build -o chosen step.sx
expect_status 0
expect_out "building chosen\n"
expect_err_has '^compiled: chosen$'
run ./chosen
expect_out "it runs\n"
with_step parts
sx build --lflags=-s step.sx
expect_status 0
expect_out "step x86_64-unknown-linux-gnu [-s]\n"
run ./elsewhere
expect_out "it runs\n"
check "nothing else is linked" [ ! -e step ]
with_step refuse
sx build step.sx
expect_status 1
expect_one_error 'returned `false`'
with_step broken
sx build step.sx
expect_status 1
expect_one_error 'no_such.o'
check "nothing is left" [ ! -e step ]
with_step parts
sed -i 's/"elsewhere"/"step.sx"/' step.sx
cp step.sx kept.sx
sx build step.sx
expect_status 1
expect_err_has 'cannot write `step.sx`: it is a source of the program'
check "no source is written over" cmp -s step.sx kept.sx

finish
