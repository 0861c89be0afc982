"""PyTorch and transformers at the work of `npm run gpu -- --only language`: the shape of Qwen2.5-0.5B in bf16.

    python3 packages/gpu/peers/language.py [train] [compile] [generate]
"""

import sys
import time

import torch
from transformers import Qwen2Config, Qwen2ForCausalLM

ROWS, CONTEXT, PROMPT, ANSWER = 16, 1024, 128, 128

torch.manual_seed(0)
config = Qwen2Config(
    vocab_size=151936,
    hidden_size=896,
    intermediate_size=4864,
    num_hidden_layers=24,
    num_attention_heads=14,
    num_key_value_heads=2,
    max_position_embeddings=CONTEXT,
    tie_word_embeddings=True,
    eos_token_id=None,
)
model = Qwen2ForCausalLM(config).to("cuda", torch.bfloat16)


def timed(body, count):
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(count):
        body()
    torch.cuda.synchronize()
    return (time.perf_counter() - start) / count


def train(name, forward):
    optimiser = torch.optim.AdamW(model.parameters(), lr=3e-4, weight_decay=0.01, fused=True)
    ids = torch.randint(0, config.vocab_size, (ROWS, CONTEXT), device="cuda")

    def update():
        loss = forward(input_ids=ids, labels=ids).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)

    for _ in range(3):
        update()
    seconds = timed(update, 5)
    print(f"{name}: {ROWS * CONTEXT / seconds:.0f} tokens/s, {seconds * 1e3:.1f} ms an update", flush=True)


@torch.inference_mode()
def generate():
    for batch in (1, 64, 256):
        ids = torch.randint(0, config.vocab_size, (batch, PROMPT), device="cuda")

        def run(new):
            model.generate(ids, max_new_tokens=new, min_new_tokens=new, do_sample=False, pad_token_id=0)

        run(4)
        # Decoding alone: without the prompt and the first token.
        seconds = timed(lambda: run(ANSWER), 1) - timed(lambda: run(1), 1)
        print(f"transformers, decoding, batch {batch}: {batch * (ANSWER - 1) / seconds:.0f} tokens/s", flush=True)


wanted = sys.argv[1:] or ["generate", "train", "compile"]
if "generate" in wanted:
    model.eval()
    generate()
model.train()
if "train" in wanted:
    train("PyTorch, eager", model)
if "compile" in wanted:
    train("PyTorch, torch.compile", torch.compile(model))
