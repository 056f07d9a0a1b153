#!/bin/bash
# Proves: `build` takes the options for packages of other systems, says that they do nothing here, and builds; the
# choice of the linker by --[no-]self-contained.
. "$(dirname "$0")/lib.sh"

echo 'main :: () -> i64 { 3 }' >a.sx
for option in --bundle --apk --bundle-id --codesign-identity --provisioning-profile --entitlements --manifest --keystore; do
    sx build "$option" name a.sx
    expect_status 0
    expect_err "warning: \`$option\` is ignored: programs for linux-x86 are not packaged\ncompiled: a\n"
    sx build "$option"
    expect_status 2
    expect_one_error "option .$option. needs a value"
    sx run "$option" name a.sx
    expect_status 2
done
for options in '-F folder' -Ffolder --self-contained --no-self-contained '--self-contained --no-self-contained'; do
    rm -f a
    sx build $options a.sx
    expect_status 0
    expect_err 'compiled: a\n'
    run ./a
    expect_status 3
done
# The system's linker is looked for on the path; the linker inside is not.
mkdir nothing
run env PATH="$PWD/nothing" "$SX" build --no-self-contained -o b a.sx
expect_status 1
check "nothing is written" missing b
run env PATH="$PWD/nothing" "$SX" build --self-contained -o b a.sx
expect_status 0
finish
