import { expect, it } from "vitest";
import { linkedSignal } from "./linked-signal.ts";

it("aborts with any of its signals, with that one's reason", () => {
  const [a, b] = [new AbortController(), new AbortController()];
  const { signal } = linkedSignal(a.signal, undefined, b.signal);
  b.abort("b");
  a.abort("a");
  expect([signal.aborted, signal.reason]).toEqual([true, "b"]);
  expect(linkedSignal(a.signal).signal.reason).toBe("a");
});

it("is independent once unlinked", () => {
  const a = new AbortController();
  const { signal, unlink } = linkedSignal(a.signal);
  unlink();
  a.abort();
  expect(signal.aborted).toBe(false);
});
