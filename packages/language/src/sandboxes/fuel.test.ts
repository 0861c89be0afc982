import { expect, it } from "vitest";
import { withFuel } from "./fuel.ts";

const name = (text: string) => [text.length, ...new TextEncoder().encode(text)];
const section = (id: number, ...bytes: number[]) => [id, bytes.length, ...bytes];
const func = (...bytes: number[]) => [bytes.length + 1, 0, ...bytes];
/** `turns` runs a loop n times, `fill` fills n bytes, `deep` recurses n times. */
const module = Uint8Array.from([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...section(1, 1, 0x60, 1, 0x7f, 0),
  ...section(3, 3, 0, 0, 0),
  ...section(5, 1, 0, 1),
  ...section(6, 1, 0x7f, 1, 0x41, 5, 0x0b),
  ...section(7, 3, ...name("turns"), 0, 0, ...name("fill"), 0, 1, ...name("deep"), 0, 2),
  ...section(
    10,
    3,
    ...func(0x03, 0x40, 0x20, 0, 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0, 0x0b, 0x0b),
    ...func(0x41, 0, 0x41, 0, 0x20, 0, 0xfc, 0x0b, 0, 0x0b),
    ...func(0x20, 0, 0x04, 0x40, 0x20, 0, 0x41, 1, 0x6b, 0x10, 2, 0x0b, 0x0b),
  ),
]);

it("counts calls, loop iterations and bytes, and traps without fuel", () => {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(withFuel(module)));
  const { fuel, stack } = exports as Record<string, WebAssembly.Global>;
  const { turns, fill, deep } = exports as Record<string, (n: number) => void>;
  const takes = (work: () => void) => {
    fuel.value = 100_000;
    work();
    return 100_000 - fuel.value;
  };
  expect(stack.value).toBe(5);
  expect(takes(() => turns(70))).toBe(71);
  expect(takes(() => deep(70))).toBe(71);
  expect(takes(() => fill(64_000))).toBe(1001);

  fuel.value = 71;
  turns(70);
  expect(fuel.value).toBe(0);
  fuel.value = 70;
  expect(() => turns(70)).toThrow(WebAssembly.RuntimeError);
  // Without fuel, nothing runs.
  expect(() => fill(0)).toThrow(WebAssembly.RuntimeError);
  fuel.value = 1000;
  expect(() => turns(0)).toThrow(WebAssembly.RuntimeError);
});

it("rejects unknown instructions", () => {
  const strange = module.slice();
  strange[strange.indexOf(0x6b)] = 0xfd;
  expect(() => withFuel(strange)).toThrow("instruction 0xfd is unknown");
  expect(() => withFuel(module.slice(0, 8))).toThrow("the module has no section 6");
});
