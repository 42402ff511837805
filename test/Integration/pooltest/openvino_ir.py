"""Writes minimal models in OpenVINO IR as text: layers and edges."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from xml.sax.saxutils import quoteattr


def port(number, dims, precision=None):
    attribute = f' precision="{precision}"' if precision else ""
    extents = "".join(f"<dim>{d}</dim>" for d in dims)
    return f'<port id="{number}"{attribute}>{extents}</port>'


def layer(number, kind, data="", inputs=(), outputs=(), name=None, opset=1):
    """Returns the text of a layer. `inputs` and `outputs` have an entry for each port: its
    dims, or a pair of dims and precision. Ports are numbered from 0, outputs after inputs."""
    def ports(tag, first, specs):
        if not specs:
            return ""
        texts = [port(first + i, *(s if isinstance(s, tuple) else (s,)))
                 for i, s in enumerate(specs)]
        return f"<{tag}>\n" + "\n".join(texts) + f"\n</{tag}>\n"

    name = quoteattr(kind.lower() if name is None else name)
    return (f'<layer id="{number}" name={name} type="{kind}" version="opset{opset}">\n'
            + (f"<data {data}/>\n" if data else "")
            + ports("input", 0, list(inputs)) + ports("output", len(inputs), list(outputs))
            + "</layer>\n")


def edge(source, source_port, target, target_port):
    return (f'<edge from-layer="{source}" from-port="{source_port}" '
            f'to-layer="{target}" to-port="{target_port}"/>\n')


def net(layers, edges, name="model", version=11):
    return (f'<?xml version="1.0"?>\n<net name="{name}" version="{version}">\n<layers>\n'
            + "".join(layers) + "</layers>\n<edges>\n" + "".join(edges)
            + "</edges>\n</net>\n")


def parameter(number, shape, element_type="f32", name="input"):
    text = ",".join("?" if d == -1 else str(d) for d in shape)
    return layer(number, "Parameter", f'shape="{text}" element_type="{element_type}"',
                 outputs=[list(shape)], name=name)


def chain(middle, shape, out, element_type="f32", outputs=1):
    """Returns a model of a parameter, the layer `middle` (number 1), and a result for each
    output of `middle`."""
    layers = [parameter(0, shape, element_type), middle]
    edges = [edge(0, 0, 1, 0)]
    for i in range(outputs):
        layers.append(layer(2 + i, "Result", inputs=[list(out)], name=f"result_{i}"))
        edges.append(edge(1, 1 + i, 2 + i, 0))
    return net(layers, edges)
