# A sharded program calls the operation once for each device. The batch and the channels may be
# divided among devices. Spatial dimensions are not divided, and neither are dimensions that indices
# count.
#
# Two parts of XLA need to know this. Shardy, which chooses the sharding of arrays, reads the rule
# that attach_rule() attaches to each call. Later, XLA's partitioner calls `partition` below, with
# only the text that the call holds. So exported programs are partitioned too.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sharding of the custom call among devices."""

import re

import numpy as np
from jaxlib import xla_client
from jaxlib.mlir.dialects import sdy

from ._text import TARGET, get_field, get_name, get_spatial

REPLICATED = xla_client.OpSharding.Type.REPLICATED


def get_kept(operation, rank):
    """Returns the dimensions that may be sharded. Spatial dimensions may not be. If there are
    indices, the dimensions from `axis` on may not be either, since indices count positions in
    them."""
    counted = rank
    if get_name(operation) == "max_unpool" or get_field(operation, "indices"):
        counted = int(get_field(operation, "axis", "0")) % rank
    spatial = () if get_name(operation) == "max_unpool" else get_spatial(operation, rank)
    return [d for d in range(counted) if d not in spatial]


def attach_rule(call, operation):
    """Attaches Shardy's rule to `call`, if all its shapes are static. The rule has a factor for
    each dimension that may be sharded, which is common to operands and results. Each other
    dimension has a factor of its own, which must be replicated."""
    types = [[value.type for value in values] for values in (call.operands, call.results)]
    if not all(kind.has_static_shape for kind in (*types[0], *types[1])):
        return
    shape = types[0][0].shape
    kept = get_kept(operation, len(shape))
    sizes = [shape[d] for d in kept]

    def map_dimensions(kind):
        dims = []
        for d, extent in enumerate(kind.shape):
            if d in kept:
                dims.append(kept.index(d))
            else:
                dims.append(len(sizes))
                sizes.append(extent)
        return sdy.TensorMappingAttr.get([sdy.DimMappingAttr.get([d]) for d in dims])

    operands, results = ([map_dimensions(kind) for kind in kinds] for kinds in types)
    call.attributes["sdy.sharding_rule"] = sdy.OpShardingRuleAttr.get(
        sizes, operands, results, need_replication_factors=range(len(kept), len(sizes)),
        is_custom=True)


def read_operation(config):
    """Returns the text of the operation from a call's backend configuration, which is bytes."""
    return re.search(r'operation = "([^"]*)"', config.decode())[1]


def restrict(sharding, shape, kept):
    """Returns `sharding`, but replicates each dimension that is not in `kept` or whose extent the
    devices cannot share equally. Returns a manual sharding unchanged, because in jax.shard_map the
    shapes are already those of one device. Any other sharding without tiles becomes replicated."""
    if not sharding.is_tiled():
        return sharding if sharding.is_manual() else xla_client.HloSharding.replicate()
    rank, tiles = len(shape), list(sharding.tile_assignment_dimensions())
    kinds = list(sharding.subgroup_types()) or [REPLICATED] * (len(tiles) - rank)
    moved = [d for d in range(rank) if d not in kept or shape[d] % tiles[d]]
    devices = np.array(sharding.tile_assignment_devices()).reshape(tiles)
    # Devices along a replicated dimension become a subgroup that has equal data.
    devices = np.moveaxis(devices, moved, range(len(tiles) - len(moved), len(tiles)))
    for d in moved:
        devices = np.expand_dims(devices, d)
    return xla_client.HloSharding.subgroup_with_device_ordering(
        devices, kinds + [REPLICATED] * len(moved))


def list_parts(whole, shape):
    return whole.tuple_elements() if shape.is_tuple() else [whole]


def list_shapes(shape):
    return shape.tuple_shapes() if shape.is_tuple() else [shape]


def pack(shardings, shape):
    return (xla_client.HloSharding.tuple_sharding(shape, shardings) if shape.is_tuple()
            else shardings[0])


def shard_like(sharding, arguments, result, config):
    """Returns a list of the operands' shardings, and the sharding of the result. All are
    `sharding`, restricted to the dimensions that the operation can divide."""
    operation = read_operation(config)
    kept = get_kept(operation, len(arguments[0].dimensions()))
    own = restrict(sharding, arguments[0].dimensions(), kept)
    return [own] * len(arguments), pack([own] * len(list_shapes(result)), result)


def count_tiles(sharding, rank):
    tiles = sharding.tile_assignment_dimensions() if sharding.is_tiled() else ()
    return int(np.prod(tiles[:rank], dtype=int))


def partition(arguments, shardings, result, result_sharding, config):
    """Called by XLA's partitioner. Returns the module that each device runs, as bytes, and the
    shardings that it assumes for operands and results."""
    rank = len(arguments[0].dimensions())
    # Either the operand or the result may be sharded, so use the sharding with more tiles.
    choices = [shard_like(each, arguments, result, config)
               for each in (shardings[0], *list_parts(result_sharding, result)[:1])]
    inputs, outputs = max(choices, key=lambda choice: count_tiles(choice[0][0], rank))
    own = inputs[0]
    locals_ = [[own.tile(shape) if own.is_tiled() else shape for shape in shapes]
               for shapes in (arguments, list_shapes(result))]
    module = make_module(read_operation(config), *locals_)
    return module.encode(), inputs, outputs


def make_module(operation, arguments, results):
    """Returns the text of a module that calls the operation on arrays of these shapes."""
    def get_type(shape):
        word = shape.numpy_dtype().name
        for name, short in (("bfloat", "bf"), ("float", "f"), ("uint", "ui"), ("int", "i")):
            if word.startswith(name):
                word = word.replace(name, short)
                break
        return f"tensor<{''.join(f'{extent}x' for extent in shape.dimensions())}{word}>"

    def get_layouts(shapes):
        orders = [list(range(len(shape.dimensions())))[::-1] for shape in shapes]
        return ", ".join(f"dense<{order}> : tensor<{len(order)}xindex>" for order in orders)

    takes, gives = (list(map(get_type, shapes)) for shapes in (arguments, results))
    names = [f"%x{i}" for i in range(len(takes))]
    values = ", ".join(f"%y#{i}" for i in range(len(gives)))
    return f"""
func.func @main({', '.join(f'{n}: {t}' for n, t in zip(names, takes))}) -> ({', '.join(gives)}) {{
  %y:{len(gives)} = "stablehlo.custom_call"({', '.join(names)}) {{
    call_target_name = "{TARGET}", api_version = 4 : i32,
    backend_config = {{operation = "{operation}"}}, operand_layouts = [{get_layouts(arguments)}],
    result_layouts = [{get_layouts(results)}]}} : ({', '.join(takes)}) -> ({', '.join(gives)})
  return {values} : {', '.join(gives)}
}}"""


def propagate(sharding, shape, config):
    """Returns the sharding of the results if a user of the results asks for `sharding`."""
    first = list_shapes(shape)[0].dimensions()
    own = restrict(list_parts(sharding, shape)[0], first,
                   get_kept(read_operation(config), len(first)))
    return pack([own] * len(list_shapes(shape)), shape)


def infer(arguments, shardings, result, config):
    return shard_like(shardings[0], arguments, result, config)[1]


xla_client.register_custom_call_partitioner(
    TARGET, propagate, partition, infer, can_side_effecting_have_replicated_sharding=True)
