"""SPDX-License-Identifier: MIT

The extension weft._weft: the public headers as they are, and native.h, what is better done in C.
"""

import os
import shlex
import subprocess
import sysconfig

import cffi

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
INCLUDE = os.path.join(ROOT, "include")

# From here on the preprocessed header is weft's own.
BEGIN = "const char *weft_version(void);"

CALLBACKS = """
extern "Python" _Bool weftpy_heard(void *context, const char *what, double done);
"""


def declarations():
    """What the preprocessor makes of the headers, without those of the system and without attributes."""
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
    command = [compiler, "-E", "-P", "-D_WIN32", f"-I{INCLUDE}", os.path.join(HERE, "native.h")]
    text = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.decode()
    return text[text.index(BEGIN):]


builder = cffi.FFI()
builder.cdef(declarations())
builder.cdef(CALLBACKS)
builder.set_source(
    "weft._weft",
    '#include "native.h"',
    sources=[os.path.relpath(os.path.join(HERE, "native.c"))],
    include_dirs=[INCLUDE, HERE],
    libraries=["lapacke", "openblas", "cholmod", "z", "m", "pthread"],
    extra_compile_args=["-O2", "-fvisibility=hidden"],
    extra_link_args=["-Wl,--exclude-libs,ALL"],
)
