"""Computes golden.json: the vectors of the tiny model, in double precision.

An implementation of its own, from the published definition of the encoder;
only the generator of the weights and the ids are shared with the Go code.

    python3 golden.py > golden.json      (needs numpy)
"""
import json, math
import numpy as np

HIDDEN, LAYERS, HEADS, INTER, POSITIONS = 32, 2, 2, 64, 48
letters = "abcdefghijklmnopqrstuvwxyz0123456789"
vocab = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
for c in letters:
    vocab += [c, "##" + c]
vocab += (". , : ; ! ? - _ ( ) [ ] # @ / \\ \" ' + * = < > & % $ "
          "the write ##ing ##ed release notes test data base make skill read ##able un ##do file table").split(" ")

class Numbers:
    def __init__(self, seed): self.x = seed
    def fill(self, scale, offset, *shape):
        out = np.empty(int(np.prod(shape)), np.float64)
        for i in range(out.size):
            self.x = (self.x * 6364136223846793005 + 1442695040888963407) % 2**64
            v = np.float32((self.x >> 40) / 2**24 - 0.5) * np.float32(scale) + np.float32(offset)
            out[i] = np.float32(v)
        return out.reshape(shape)

n = Numbers(1)
word, position, segment = n.fill(2, 0, len(vocab), HIDDEN), n.fill(.5, 0, POSITIONS, HIDDEN), n.fill(.25, 0, 2, HIDDEN)
norm = lambda: (n.fill(.5, 1, HIDDEN), n.fill(.25, 0, HIDDEN))
dense = lambda o, i: (n.fill(.5, 0, o, i), n.fill(.25, 0, o))
first = norm()
layers = [dict(q=dense(HIDDEN, HIDDEN), k=dense(HIDDEN, HIDDEN), v=dense(HIDDEN, HIDDEN), o=dense(HIDDEN, HIDDEN), n1=norm(),
               up=dense(INTER, HIDDEN), down=dense(HIDDEN, INTER), n2=norm()) for _ in range(LAYERS)]
table = Numbers(2).fill(2, 0, len(vocab), HIDDEN)

def layer_norm(x, p):
    m, s = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - m) / np.sqrt(s + 1e-12) * p[0] + p[1]

lin = lambda x, p: x @ p[0].T + p[1]
gelu = np.vectorize(lambda v: v * .5 * (1 + math.erf(v / math.sqrt(2))))

def encode(ids):
    x = layer_norm(word[ids] + position[:len(ids)] + segment[0], first)
    d = HIDDEN // HEADS
    for l in layers:
        q, k, v = (lin(x, l[p]).reshape(len(ids), HEADS, d).transpose(1, 0, 2) for p in "qkv")
        s = q @ k.transpose(0, 2, 1) / math.sqrt(d)
        s = np.exp(s - s.max(-1, keepdims=True)); s /= s.sum(-1, keepdims=True)
        x = layer_norm(x + lin((s @ v).transpose(1, 0, 2).reshape(len(ids), HIDDEN), l["o"]), l["n1"])
        x = layer_norm(x + lin(gelu(lin(x, l["up"])), l["down"]), l["n2"])
    return x

unit = lambda v: [round(float(y), 7) for y in v / np.linalg.norm(v)]
texts = {
    "the": ["[CLS]", "the", "[SEP]"],
    "Write the release notes!": ["[CLS]", "write", "the", "release", "notes", "!", "[SEP]"],
    "undoing ünreadable databases": ["[CLS]", "un", "##do", "##ing", "un", "##r", "##e", "##a", "##d", "##able", "data", "##b", "##a", "##s", "##e", "##s", "[SEP]"],
    "x?" * 40: ["[CLS]"] + ["x", "?"] * 15 + ["[SEP]"],
}
cases = []
for text, pieces in texts.items():
    ids = [vocab.index(p) for p in pieces]
    x = encode(ids)
    inner = [i for i in ids if vocab[i] not in ("[CLS]", "[SEP]", "[UNK]")]
    if text.startswith("x?"):
        inner = [vocab.index("x"), vocab.index("?")] * 40
    cases.append(dict(text=text, cls=unit(x[0]), mean=unit(x.mean(0)), static=unit(table[inner].mean(0))))
print("[\n" + ",\n".join(json.dumps(c, ensure_ascii=False) for c in cases) + "\n]")
