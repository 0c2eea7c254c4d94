# SPDX-License-Identifier: Apache-2.0
"""Writes a tiny llama model with random weights (byte vocabulary, about 0.3 MB) for tst_real_server.

    pip install gguf && python3 tests/llm/make_tiny_model.py tiny.gguf

It says nonsense; what it is good for is that a real llama.cpp server loads it and streams it.
"""
import sys

import gguf
import numpy as np

WIDTH, LAYERS, HEADS, FEED_FORWARD, CONTEXT = 64, 2, 4, 128, 2048


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: make_tiny_model.py OUT.gguf")
    tokens = [b"<unk>", b"<s>", b"</s>"] + [b"<0x%02X>" % byte for byte in range(256)] + [b"\xe2\x96\x81"]
    kinds = [gguf.TokenType.UNKNOWN, gguf.TokenType.CONTROL, gguf.TokenType.CONTROL]
    kinds += [gguf.TokenType.BYTE] * 256 + [gguf.TokenType.NORMAL]
    writer = gguf.GGUFWriter(sys.argv[1], "llama")
    writer.add_name("tiny-random")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(FEED_FORWARD)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types(kinds)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)

    random = np.random.default_rng(7)

    def add(name: str, *shape: int) -> None:
        writer.add_tensor(name, random.normal(0.0, 0.2, shape).astype(np.float32))

    def add_ones(name: str) -> None:
        writer.add_tensor(name, np.ones(WIDTH, dtype=np.float32))

    add("token_embd.weight", len(tokens), WIDTH)
    # Only printable ASCII may win, so that what it says is valid UTF-8 (a server refuses to stream anything else).
    output = np.zeros((len(tokens), WIDTH), dtype=np.float32)
    output[3 + 0x20:3 + 0x7F] = random.normal(0.0, 1.0, (0x5F, WIDTH))
    writer.add_tensor("output.weight", output)
    add_ones("output_norm.weight")
    for layer in range(LAYERS):
        prefix = f"blk.{layer}."
        add_ones(prefix + "attn_norm.weight")
        add_ones(prefix + "ffn_norm.weight")
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            add(prefix + name + ".weight", WIDTH, WIDTH)
        add(prefix + "ffn_gate.weight", FEED_FORWARD, WIDTH)
        add(prefix + "ffn_up.weight", FEED_FORWARD, WIDTH)
        add(prefix + "ffn_down.weight", WIDTH, FEED_FORWARD)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    main()
