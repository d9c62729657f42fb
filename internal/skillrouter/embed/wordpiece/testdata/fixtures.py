"""Writes fixtures.json: what the Rust tokenizer makes of odd texts.

    pip install tokenizers==0.23.3 && python3 fixtures.py > fixtures.json
"""
import json, random
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
for c in "abcdefghijklmnopqrstuvwxyz0123456789ABCXYZ" + "éñüßøıİΣσςκλжёяדשمةकिทก日本語中文한국가ㄱᄒᆞᆫㅏあいうカナﬁ①ª²½€£¥™→∑😀👩💻":
    pieces += [c, "##" + c]
pieces += list("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~«»“”‘’…—–·¿¡、。「」")
pieces += ["the", "##ing", "##ed", "write", "release", "notes", "un", "##able", "##aff", "cafe", "uber", "naive", "##ification", "token", "##ize", "##r",
           "x", "pad", "sep", "cls", "##10", "##100", "git", "hub", "##hub", "pull", "request", "日本", "##本語", "\u0301", "##\u0301", "e\u0301", "##е\u0308"]
vocab = {}
for p in pieces:
    vocab.setdefault(p, len(vocab))

texts = [
    "", " ", "\t\n\r ", "write the release notes", "Write  the\tRelease\nNotes!", "unaffable tokenizer, writing", "GitHub's pull-request #100",
    "Café über naïve ÉÑÜ", "e\u0301 cafe\u0301 n\u0303", "a\u0301\u0323\u0300b", "\u0301", "x\u0301\u0301", "İstanbul ISTANBUL ıi", "ΣΊΣΥΦΟΣ σς", "Straße STRASSE ẞ",
    "жёлтый Жёлтый ё е\u0308", "שָׁלוֹם", "مَرْحَبًا ة", "कि हिन्दी", "ที่กำ", "日本語のテスト", "中文abc中文", "x日y", "漢\uf900字 \U00020000\U0002f800", "한국어 한국 가각", "ᄒ\u1161ᆫ",
    "カナ ｶﾅ ガ か\u3099", "あいう", "ﬁne ﬀ ①② ª² ½ Ⅳ", "ｆｕｌｌ ｗｉｄｔｈ", "€100 £5 ¥ ™ → ∑", "😀 a😀b 👩\u200d💻 👍🏽 🇩🇪", "a\u200bb c\u200cd e\u200df \ufeffg", "a\u00adb", "a\u2060b\u180ec",
    "\u202eabc\u202c \u2066x\u2069", "a\u0000b\ufffdc", "a\u0007b\u001bc\u007fd\u0080e\u0085f\u009fg", "a\u000bb\u000cc", "a\u00a0b\u2003c\u3000d\u2028e\u2029f\u1680g\u205fh",
    "\ue000 private\uf8ff \U000f0000x", "[CLS] x [SEP]", "[SEP][SEP]x[MASK]", "[PAD] [UNK] [cls] [ sep ]", "x[SEP", "##ing ## #", "the##ing", "…—–« “quoted” ‘it’ »",
    "¿Qué? ¡Sí!", "a.b,c;d:e", "$x = {y: [1, 2]} // `z`", "foo_bar fooBar foo-bar foo.bar()", "x" * 100, "x" * 101, "x" * 150, "é" * 100, "é" * 101, "e\u0301" * 100, "a" * 60 + "-" + "b" * 60,
    "日" * 101, "😀" * 100, "😀" * 101, "zzzzqqq the ☃ snow", "write\u0301 the", "the\u200b", "\u200bthe", "\u200b", "a \u0301 b", "100 1100 x100", "\U0001f9ff\U0001fae8", "\u0378 a\u0378b",
    "ǅ Ǆ ǆ", "ŉ ǰ ΐ", "Å Å \u212b \u2126 \u212a", "\u1e9b\u0323", "\u0344 \u0340", "가\u11a8", "\u115f\u1160", "a\u034fb", "\u20dd\u20e3 1\ufe0f\u20e3", "a\ufe0fb", "\U000e0001\U000e0041x",
]
random.seed(7)
blocks = [(0x20, 0x7e), (0xa0, 0x24f), (0x300, 0x36f), (0x370, 0x3ff), (0x400, 0x4ff), (0x590, 0x5f4), (0x620, 0x6ff), (0x900, 0x97f), (0xe00, 0xe3a), (0x1100, 0x11ff),
          (0x1e00, 0x1fff), (0x2000, 0x206f), (0x2100, 0x22ff), (0x3000, 0x30ff), (0x4e00, 0x4eff), (0xac00, 0xadff), (0xf900, 0xfaff), (0xff00, 0xffef), (0x1f300, 0x1f64f)]
for _ in range(150):
    texts.append("".join(chr(random.randint(*random.choice(blocks))) if random.random() < .8 else random.choice(" etawx") for _ in range(random.randint(3, 24))))

def make(lower, accents, clean=True, han=True):
    t = Tokenizer(models.WordPiece(vocab, unk_token="[UNK]", max_input_chars_per_word=100, continuing_subword_prefix="##"))
    t.normalizer = normalizers.BertNormalizer(clean_text=clean, handle_chinese_chars=han, strip_accents=accents, lowercase=lower)
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    t.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", vocab["[CLS]"]), ("[SEP]", vocab["[SEP]"])])
    t.add_special_tokens(pieces[:5])
    t.encode_special_tokens = True
    return t

kinds = dict(uncased=make(True, None), cased=make(False, None), accents=make(True, False), raw=make(True, None, False, False))
cases = [dict(text=x, **{k: t.encode(x).ids for k, t in kinds.items()}) for x in texts]
print("{\"vocabulary\": " + json.dumps(list(vocab)) + ",\n\"cases\": [\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases) + "\n]}")
