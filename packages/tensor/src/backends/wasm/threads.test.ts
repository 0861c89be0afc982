import { describe, expect, it } from "vitest";
import { heap } from "../../heap.ts";
import type { Program } from "../../kernel/program.ts";
import { contextOf } from "../../testing/context.ts";
import { emitProgram } from "./program.ts";
import type { Team } from "./threads.ts";
import { createTeam } from "./threads.ts";

/** A program whose threads copy their shares of buffer 1 to buffer 2, then of buffer 2 to buffer 3. */
function relay(
  team: Team,
  bytes: number,
  threads: number,
  saw = (_threads: number) => {},
): (context: number) => void {
  const place = (buffer: number) => ({ buffer, offset: 0 });
  const program: Program = {
    buffers: [],
    kernels: [],
    scratchBytes: 0,
    threads,
    steps: [
      { kind: "copy", from: place(1), to: place(2), bytes, barrier: true },
      { kind: "copy", from: place(2), to: place(3), bytes, barrier: true },
    ],
  };
  const { bytes: code } = emitProgram(program, { relaxed: false, arm: true, threaded: true, mayWait: true });
  const module = new WebAssembly.Module(code);
  const addresses = { barrier: team.barrier, workspace: 0 };
  const { main } = new WebAssembly.Instance(module, { env: { memory: heap.memory, ...addresses } }).exports;
  const run = main as (context: number, thread: number, threads: number) => void;
  const seen: typeof run = (context, thread, threads) => {
    saw(threads);
    run(context, thread, threads);
  };
  return team.install(module, addresses, seen, threads);
}

describe("team", () => {
  it("never loses a worker that is starting, waiting for a message or asleep", async () => {
    const bytes = 65536;
    const buffers = [1, 2, 3].map(() => heap.allocate(bytes));
    const context = contextOf([0, ...buffers]);
    const [source, , target] = buffers.map((offset) => new Int32Array(heap.buffer, offset, bytes / 4));
    let runs = 0;
    const check = (run: (context: number) => void) => {
      source.fill(++runs);
      run(context);
      expect(target.every((x) => x === runs)).toBe(true);
    };
    for (let round = 0; round < 12; round++) {
      const team = createTeam(3);
      // By the first program of later rounds the workers are running and wait in their event loops: they answer at once.
      await new Promise((resolve) => setTimeout(resolve, 10 * round));
      const programs = [relay(team, bytes, 3)];
      for (let i = 0; i < 4; i++) {
        for (let j = 0; j < 20; j++) check(programs[j % programs.length]);
        if (i === 2) await team.ready();
        programs.push(relay(team, bytes, 2 + (i % 2)));
      }
      await team.ready();
      for (const run of programs) check(run);
    }
  }, 60_000);

  it("uses the workers in the first run of a program", async () => {
    const bytes = 65536;
    const context = contextOf([0, ...[1, 2, 3].map(() => heap.allocate(bytes))]);
    const team = createTeam(3);
    relay(team, bytes, 3)(context);
    await team.ready();
    const saw: number[] = [];
    // On a busy machine even running workers may be too late for one program, but not for all twenty.
    for (let i = 0; i < 20 && !saw.includes(3); i++) {
      relay(team, bytes, 3, (threads) => saw.push(threads))(context);
      await team.ready();
    }
    expect(saw).toContain(3);
  });
});
