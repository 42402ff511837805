"""Trains ResNet-18, GoogLeNet and a U-Net with torch's pooling and with pool_mlir.torch's.

Compares losses, and pooling's share of the time. Weights and data are random with a fixed seed;
there is one thread. Losses must agree within 1e-5 in f64, and in f32 if only maxima are replaced.
Times are for f32 with all poolings replaced. In this case sums in another order differ in their
last bits, and training enlarges this difference, so it is only printed. Pooling's share is the time
of a step's pooling calls alone, forward and backward, divided by the time of a step.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import functools
import statistics
import time

import torch
from torch import nn

from measure.turns import import_pool_mlir, least_time

KIND = "network"


def convolution(inputs, outputs, kernel=3, stride=1):
    return nn.Sequential(nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
                         nn.BatchNorm2d(outputs), nn.ReLU())


class Residual(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.body = nn.Sequential(
            convolution(inputs, outputs, 3, stride),
            nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False), nn.BatchNorm2d(outputs))
        self.skip = (nn.Identity() if (inputs, stride) == (outputs, 1) else
                     nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False),
                                   nn.BatchNorm2d(outputs)))

    def forward(self, x):
        return torch.relu(self.body(x) + self.skip(x))


def resnet18():
    blocks, inputs = [], 64
    for outputs, stride in ((64, 1), (128, 2), (256, 2), (512, 2)):
        blocks += [Residual(inputs, outputs, stride), Residual(outputs, outputs, 1)]
        inputs = outputs
    return nn.Sequential(convolution(3, 64, 7, 2), nn.MaxPool2d(3, 2, 1), *blocks,
                         nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 10))


class Inception(nn.Module):
    def __init__(self, inputs, one, three_in, three, five_in, five, pooled):
        super().__init__()
        self.branches = nn.ModuleList([
            convolution(inputs, one, 1),
            nn.Sequential(convolution(inputs, three_in, 1), convolution(three_in, three)),
            nn.Sequential(convolution(inputs, five_in, 1), convolution(five_in, five)),
            nn.Sequential(nn.MaxPool2d(3, 1, 1, ceil_mode=True), convolution(inputs, pooled, 1))])

    def forward(self, x):
        return torch.cat([branch(x) for branch in self.branches], 1)


def googlenet():
    return nn.Sequential(
        convolution(3, 64, 7, 2), nn.MaxPool2d(3, 2, ceil_mode=True),
        convolution(64, 64, 1), convolution(64, 192), nn.MaxPool2d(3, 2, ceil_mode=True),
        Inception(192, 64, 96, 128, 16, 32, 32), Inception(256, 128, 128, 192, 32, 96, 64),
        nn.MaxPool2d(3, 2, ceil_mode=True),
        Inception(480, 192, 96, 208, 16, 48, 64), Inception(512, 160, 112, 224, 24, 64, 64),
        Inception(512, 128, 128, 256, 24, 64, 64), Inception(512, 112, 144, 288, 32, 64, 64),
        Inception(528, 256, 160, 320, 32, 128, 128), nn.MaxPool2d(2, 2, ceil_mode=True),
        Inception(832, 256, 160, 320, 32, 128, 128), Inception(832, 384, 192, 384, 48, 128, 128),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(1024, 10))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        sizes = (16, 32, 64, 128)
        self.down = nn.ModuleList(convolution(i, o) for i, o in zip((3, *sizes), sizes))
        self.pool = nn.MaxPool2d(2)
        self.up = nn.ModuleList(convolution(i + o, o)
                                for i, o in zip(sizes[:0:-1], sizes[-2::-1]))
        self.grow = nn.Upsample(scale_factor=2)
        self.last = nn.Sequential(nn.Conv2d(16, 10, 1), nn.AdaptiveAvgPool2d(1), nn.Flatten())

    def forward(self, x):
        kept = []
        for i, layer in enumerate(self.down):
            x = layer(x if i == 0 else self.pool(x))
            kept.append(x)
        for layer, other in zip(self.up, kept[-2::-1]):
            x = layer(torch.cat([self.grow(x), other], 1))
        return self.last(x)


NETWORKS = {"ResNet-18": resnet18, "GoogLeNet": googlenet, "U-Net": UNet}


def train(model, options):
    """Returns a pair: the loss of each step, and the median seconds of a step."""
    optimizer = torch.optim.SGD(model.parameters(), lr=options.rate)
    random = torch.Generator().manual_seed(1)
    losses, seconds = [], []
    for _ in range(options.steps):
        x = torch.rand(options.batch, 3, options.size, options.size, generator=random)
        labels = torch.randint(10, (options.batch,), generator=random)
        start = time.perf_counter()
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), labels)
        loss.backward()
        optimizer.step()
        seconds.append(time.perf_counter() - start)
        losses.append(loss.item())
    return losses, statistics.median(seconds[1:])


def find_gradient(module, x, weights):
    return torch.autograd.grad(module(x), x, weights)


def pooling(model, options):
    """Returns the seconds of a step's pooling calls alone, and the number of these calls. Each
    call counts by the least of ten times."""
    calls = []
    pools = [module for module in model.modules() if "Pool" in type(module).__name__]
    hooks = [pool.register_forward_hook(
        lambda module, inputs, output: calls.append((module, inputs[0].detach().clone())))
        for pool in pools]
    model(torch.rand(options.batch, 3, options.size, options.size))
    for hook in hooks:
        hook.remove()
    total = 0
    for module, x in calls:
        x.requires_grad_()
        weights = torch.ones_like(module(x))
        total += least_time(functools.partial(find_gradient, module, x, weights), 10) / 1e6
    return total, len(calls)


def make_model(make, change, dtype):
    torch.set_default_dtype(dtype)
    torch.manual_seed(0)
    return change(make())


def difference(own, our):
    """Returns the largest difference of a loss."""
    return max(abs(a - b) for a, b in zip(own, our))


def plain(model):
    return model


def convert_maxima(pool_torch, model):
    for module in list(model.modules()):
        for name, child in list(module.named_children()):
            if type(child) is nn.MaxPool2d:
                setattr(module, name, pool_torch.convert(child))
    return model


def add_options(parser):
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--size", type=int, default=32, help="extents of an image (default: 32)")
    parser.add_argument("--rate", type=float, default=0.01)


def rows(_):
    return NETWORKS


def run(chosen, options, report):
    import_pool_mlir(options)
    from pool_mlir import torch as pool_torch  # pylint: disable=import-outside-toplevel
    changes = (plain, pool_torch.convert)
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    report.header("network", "largest difference of a loss: f64", "f32, maxima alone", "f32",
                  "step ms: torch", "ours", "pooling calls", "their ms: torch", "ours",
                  "share of the step: torch", "ours")
    for name, make in chosen.items():
        wide = difference(*(train(make_model(make, change, torch.float64), options)[0]
                            for change in changes))
        maxima, _ = train(make_model(make, functools.partial(convert_maxima, pool_torch),
                                     torch.float32), options)
        columns = []
        for change in changes:
            model = make_model(make, change, torch.float32)
            columns.append((*train(model, options), *pooling(model, options)))
        (own, own_step, own_pool, count), (our, our_step, our_pool, _) = columns
        maxima = difference(own, maxima)
        report.status |= not max(wide, maxima) <= 1e-5
        report.row(name, f"{wide:.1e}", f"{maxima:.1e}", f"{difference(own, our):.1e}",
                   f"{own_step * 1e3:.1f}", f"{our_step * 1e3:.1f}", count,
                   f"{own_pool * 1e3:.2f}", f"{our_pool * 1e3:.2f}",
                   f"{own_pool / own_step:.1%}", f"{our_pool / our_step:.1%}",
                   torch_step=own_step, step=our_step, torch_pooling=own_pool, pooling=our_pool)
    report.line(f"\nlosses {'differ by more than' if report.status else 'agree within'} 1e-5; "
                f"calls that went to torch's own pooling: {sum(pool_torch.fallbacks.values())}")
