import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tensor } from "@reins/tensor";
import { afterAll, describe, expect, it } from "vitest";
import { gymnasium } from "./python.ts";

const folder = mkdtempSync(join(tmpdir(), "reins-bridge-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A correct description of an environment with one observed number and two actions, and of the memory of one row. */
const described = {
  observation: { kind: "box", shape: [1], low: -1, high: 1 },
  action: { kind: "discrete", n: 2, start: 0 },
  renders: true,
  choices: 0,
};
const layout = {
  observation: [{ path: [], at: 8, count: 1 }],
  reward: 16,
  flags: 24,
  mask: 32,
  finalMask: 40,
  short: 32,
  final: [{ path: [], at: 32, count: 1 }],
  bytes: 40,
  actions: [{ path: [], at: 8, count: 1 }],
};

/** The start of a program that stands in for Python: `answer`, `send` and `heard`, the number of commands so far. */
const beginning = `#!${process.execPath}
const { readSync, writeSync } = require("node:fs");
const send = (kind, bytes, size = bytes.length) => {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(kind, 0);
  head.writeUInt32LE(size, 4);
  writeSync(4, Buffer.concat([head, bytes]));
};
const answer = (value) => send(1, Buffer.from(JSON.stringify(value)));
const stay = () => setInterval(() => {}, 1000);
const hear = () => {
  const head = Buffer.alloc(8);
  if (readSync(3, head, 0, 8, null) === 0) process.exit(0);
  readSync(3, Buffer.alloc(head.readUInt32LE(4)), 0, head.readUInt32LE(4), null);
};
const described = ${JSON.stringify(described)};
const layout = ${JSON.stringify(layout)};
`;

let programs = 0;
/** An environment whose interpreter is a program of these lines. */
const bridged = (lines: string) => {
  const python = join(folder, `python-${++programs}`);
  writeFileSync(python, beginning + lines);
  chmodSync(python, 0o755);
  return gymnasium("Fake-v0", { python, timeout: 10_000 });
};

function thrownBy(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    return (error as Error).message;
  }
  return "nothing was thrown";
}

/** How a bridge answers the first commands, before its fault. */
const opens = "hear(); answer(described); hear(); answer(layout); hear();";
const plays = `${opens} send(0, Buffer.alloc(24)); hear();`;

describe.skipIf(process.platform === "win32")("a Python process", () => {
  it.each([
    ["an answer that is not JSON", 'hear(); send(1, Buffer.from("hello"));', 'not JSON: "hello"'],
    ["printed text", 'hear(); writeSync(4, "Hello from here!\\n");', 'not a message: "Hello fr'],
    ["an unknown kind", "hear(); send(9, Buffer.alloc(4));", "not a message"],
    ["columns for an answer", "hear(); send(0, Buffer.alloc(4));", "of kind 0, where an answer"],
    ["a length without end", 'hear(); send(1, Buffer.from("{}"), 4e9);', "not a message"],
    ["no description", "hear(); answer(null);", "description whose observation is null"],
    [
      "a space of no kind",
      "hear(); answer({ ...described, action: { kind: 'x' } });",
      "description whose action",
    ],
    ["agents without names", "hear(); answer({ ...described, agents: [1] });", "agents have no names"],
    ["a failure without words", 'hear(); send(2, Buffer.from("{}"));', "a failure without its error"],
    ["a failure that is not JSON", 'hear(); send(2, Buffer.from("x"));', "not JSON"],
    ["half a message", 'hear(); send(1, Buffer.from("{"), 9);', "and nothing after them for 5 s"],
  ])("that sends %s is reported with the message", (_, lines, words) => {
    const message = thrownBy(() => bridged(`${lines} stay();`));
    expect(message).toMatch(/^gymnasium:Fake-v0: the Python process sent /);
    expect(message).toContain(words);
  });

  it("that ends in the middle of a message is reported with its last output", () => {
    const lines = 'hear(); send(1, Buffer.from("{"), 9); console.error("out of ink"); process.exit(3);';
    expect(() => bridged(lines)).toThrow(/^gymnasium:Fake-v0: the Python process ended(.|\n)*out of ink/);
  });

  it.each([
    ["{}", "columns of undefined"],
    ["{ ...layout, bytes: 1e12 }", "columns of 32 and 1000000000000 bytes"],
    ["{ ...layout, observation: [] }", "an observation without 1 of its columns"],
    ["{ ...layout, observation: [{ path: [], at: 8, count: 9 }] }", "9 numbers at 8"],
    ["{ ...layout, observation: [{ path: ['x'], at: 8, count: 1 }] }", "that its space does not have"],
    ["{ ...layout, final: [{ path: [], at: 38, count: 1 }] }", "1 numbers at 38"],
    ["{ ...layout, reward: 9 }", "rewards, flags or masks outside"],
    ["{ ...layout, actions: [{ path: [], at: 4096000, count: 1 }] }", "for a column of the action"],
  ])("that lays out memory as %s is rejected", (given, words) => {
    const place = bridged(`hear(); answer(described); hear(); answer(${given}); stay();`);
    const message = thrownBy(() => place.make(1));
    expect(message).toContain("gymnasium:Fake-v0: the Python process sent ");
    expect(message).toContain(words);
  });

  it.each([
    ["too many columns", "send(0, Buffer.alloc(400));", "a message of 408 bytes, where 40 were expected"],
    ["too few columns", "send(0, Buffer.alloc(4));", "12 bytes of columns, where 32 were expected"],
    ["an answer", "answer(1);", "of kind 1, where columns were expected"],
    [
      "two answers",
      "send(2, Buffer.from('{}')); send(1, Buffer.alloc(2));",
      /more after it|without its error/,
    ],
  ])("that answers a step with %s is rejected", (_, lines, words) => {
    const env = bridged(`${plays} ${lines} stay();`).make(1);
    env.reset({ seed: 1 });
    const step = () => env.step(tensor(Int32Array.of(0)));
    expect(step).toThrow(words);
    expect(step).toThrow("it was closed");
  });

  it("that does not render text is rejected; its output is ignored", () => {
    const env = bridged(
      `${plays} console.log("hello"); send(0, Buffer.alloc(24)); hear(); answer(7); stay();`,
    ).make(1);
    env.reset({ seed: 1 });
    env.step(tensor(Int32Array.of(0)));
    expect(() => env.render!(0)).toThrow("a rendering that is not text");
  });
});
