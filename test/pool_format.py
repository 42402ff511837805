"""Defines the format of this suite: lit's ShTest, where a test requires the tools it names.

Each tool that has been built is a feature of the same name. A test of a tool that has not
been built is unsupported, and lit names the missing feature. So `ninja pool-opt` is enough
to run the tests of pool-opt. A directory's lit.local.cfg lists in `config.required_features`
what all of its tests require.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
from pathlib import Path

import lit.formats

# Tools that Python tests find in the build directory. RUN lines do not name these tools, so
# any test that has the build directory requires them.
OF_PYTHON = ("pool-compile", "pool-opt", "pool-run", "pool-translate")
LIBRARIES = {"%pool_plugin": "PoolPlugin.so", "%pool_lib_dir": "PoolPlugin.so",
             "%pool_c": "libPoolC.so", "%pool_mlir_c": "libPoolC.so"}
RUN = re.compile(r"RUN: (.*)")


class PoolTest(lit.formats.ShTest):
    def __init__(self, tools):
        super().__init__(execute_external=False)
        self.tools = tools

    def needs(self, text, environment):
        """Returns the tools and libraries that a test with this text uses."""
        commands = "\n".join(RUN.findall(text))
        names = {tool for tool in self.tools
                 if re.search(rf"(?<![\w./-]){tool}(?![\w.-])", commands)}
        names |= {library for name, library in LIBRARIES.items() if name in commands}
        if "%build_dir" in commands or "POOL_BUILD_DIR" in environment:
            names.update(OF_PYTHON)
        if "--install %build_dir" in commands:
            names.update(self.tools, LIBRARIES.values())
        return names

    def execute(self, test, lit_config):
        text = Path(test.getSourcePath()).read_text(encoding="utf-8", errors="replace")
        test.requires += sorted(self.needs(text, test.config.environment))
        test.requires += getattr(test.config, "required_features", [])
        return super().execute(test, lit_config)
