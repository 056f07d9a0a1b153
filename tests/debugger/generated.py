"""Random programs, made by tests/fuzz."""

import os
import subprocess


def program(generator, number, folder):
    """The path of one in the folder, and its text. It is the same for a number; what it does stands in `c0_case`."""
    path = os.path.join(folder, f"random{number}.sx")
    text = subprocess.run([generator, "--seed", "7", "--cases", "1", "--print", str(number)], capture_output=True, text=True,
                          check=True).stdout
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path, text
