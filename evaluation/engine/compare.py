"""Sets the engine of mega-tron beside ONNX Runtime: the same weights, one text
at a time, one thread, in turns within one run.

    make model
    pip install onnxruntime onnx numpy          (anywhere but here)
    python3 evaluation/engine/compare.py bin/models

The directory holds bge-small-en-v1.5.{onnx,pack} and bge-small-en-v1.5.f32.pack,
as make model leaves them.
"""
import os, re, statistics, subprocess, sys, tempfile, time
import numpy as np
import onnxruntime as ort
from onnxruntime.quantization import QuantType, quantize_dynamic

models, rounds = os.path.abspath(sys.argv[1]), 5
temp = tempfile.mkdtemp()
graph = os.path.join(models, "bge-small-en-v1.5.onnx")
small = os.path.join(temp, "int8.onnx")
quantize_dynamic(graph, small, weight_type=QuantType.QInt8)
binary = os.path.join(temp, "embed.test")
subprocess.run(["go", "test", "-c", "-o", binary, "./internal/skillrouter/embed"], check=True)


def session(path):
    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def onnx(s, tokens, seconds=1.0):
    ids = np.full((1, tokens), 4339)
    ids[0, 0], ids[0, -1] = 101, 102
    feed = dict(input_ids=ids, attention_mask=np.ones_like(ids), token_type_ids=np.zeros_like(ids))
    s.run(None, feed)
    times, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        s.run(None, feed)
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e3


def ours(precision, tokens):
    pack = os.path.join(models, "bge-small-en-v1.5" + (".f32" if precision == "f32" else "") + ".pack")
    out = subprocess.run([binary, "-test.run=^$", f"-test.bench=^BenchmarkModel/{tokens}$", "-test.benchtime=1s", "-test.cpu=1"],
                         env=dict(os.environ, MAROLA_MODEL=pack), check=True, capture_output=True, text=True).stdout
    return float(re.search(r"([0-9.]+) median-ms", out)[1])


print("weights  tokens  ours ms  ONNX Runtime ms  ratio")
for precision, path in (("f32", graph), ("int8", small)):
    s = session(path)
    for tokens in (20, 128):
        pairs = [(ours(precision, tokens), onnx(s, tokens)) for _ in range(rounds)]
        a, b = (statistics.median(p[i] for p in pairs) for i in (0, 1))
        print(f"{precision:7}  {tokens:6}  {a:7.2f}  {b:15.2f}  {statistics.median(x / y for x, y in pairs):5.2f}", flush=True)
