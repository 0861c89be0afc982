import { expect, it, vi } from "vitest";
import { main } from "../cli/main.ts";

vi.stubEnv("REINS_BACKEND", "wasm");

const train = [
  "train",
  "ppo",
  "CartPole-v1",
  "--no-save",
  "--envs",
  "2",
  "--ppo-steps",
  "16",
  "--hidden",
  "4",
];

async function written(terminal: object): Promise<string> {
  let text = "";
  const out = { write: (more: string) => (text += more), ...terminal };
  const code = await main([...train, "--steps", "64", "--eval-episodes", "0"], {
    out,
    err: { write: () => {} },
  });
  expect(code).toBe(0);
  return text;
}

it("a terminal shows the function being compiled, and clears it", async () => {
  const text = await written({ isTTY: true, columns: 100, rows: 40 });
  const shown = [...text.matchAll(/compiling [^…\n]*…(.{0,12})/gs)];
  expect(shown.length).toBeGreaterThan(0);
  for (const [, after] of shown) expect(after).toContain("\r\u001b[K");
});

it("a pipe gets nothing", async () => {
  expect(await written({})).not.toContain("…");
});
