"""IREE: imports the ONNX operator, compiles it for this CPU, calls it by its VM."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import subprocess
import sys

import iree.compiler
import iree.compiler.version
import iree.runtime as ireert
import onnx

from .base import Function, Peer, Unsupported
from .onnxruntime_peer import make_model, read_back

FLAGS = ["--iree-opt-level=O3"]


class Iree(Peer):
    names = ("iree",)
    obeys_isa = True

    def __init__(self, context):
        super().__init__(context)
        if context.threads > 1:
            ireert.flags.parse_flags(f"--task_topology_group_count={context.threads}")
        self.cpu = context.isa.cpu if context.isa else "host"
        driver = "local-sync" if context.threads == 1 else "local-task"
        self.config = ireert.Config(driver)

    def version(self):
        return iree.compiler.version.VERSION

    def compile(self, workload, x):
        model, _ = make_model(workload.case, x)
        # IREE's importer supports opset 19 well. Pooling has the same meaning in this opset
        # and in that of make_model.
        model.opset_import[0].version = 19
        path = self.context.directory / f"{workload.name}.onnx"
        onnx.save(model, path)
        imported = subprocess.run(
            [sys.executable, "-m", "iree.compiler.tools.import_onnx", path],
            capture_output=True, text=True, check=False)
        if imported.returncode != 0:
            raise Unsupported(f"import: {imported.stderr.strip().splitlines()[-1]}")
        try:
            return iree.compiler.compile_str(
                imported.stdout, target_backends=["llvm-cpu"], input_type="onnx",
                extra_args=[*FLAGS, f"--iree-llvmcpu-target-cpu={self.cpu}"])
        except iree.compiler.CompilerToolError as error:
            reasons = [line for line in str(error).splitlines() if "error:" in line]
            raise Unsupported(reasons[0] if reasons else "it does not compile") from error

    def prepare(self, name, workload, x):
        binary = self.compile(workload, x)
        context = ireert.SystemContext(config=self.config)
        module = ireert.VmModule.copy_buffer(context.instance, binary)
        context.add_vm_module(module)
        function = module.lookup_function("pool")
        if function is None:
            raise Unsupported("the compiled module has no function 'pool'")
        array = ireert.asdevicearray(self.config.device, x)
        arguments = ireert.VmVariantList(1)
        arguments.push_ref(array._buffer_view)
        count = 2 if workload.case.index_type else 1

        def call():
            results = ireert.VmVariantList(count)
            context.vm_context.invoke(function, arguments, results)
            return results

        def read(results):
            arrays = [ireert.DeviceArray(
                self.config.device, results.get_as_object(i, ireert.HalBufferView),
                implicit_host_transfer=True).to_host() for i in range(count)]
            return read_back(workload.case, arrays)

        return Function(call, read)
