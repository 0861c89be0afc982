import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Finished, runTasks } from "./pool.ts";
import { forkedWorker, spawnedWorker } from "./processes.ts";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "reins-pool-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** The child of `forkedWorker`, as plain JavaScript: `work` is the body of a function of the task. */
function program(work: string): string {
  const file = join(folder(), "work.mjs");
  writeFileSync(
    file,
    `const work = async (task) => { ${work} };
    process.on("message", (task) => work(task).then(
      (result) => process.send({ result }),
      (error) => process.send({ error: error.message }),
    ));
    process.on("disconnect", () => process.exit());`,
  );
  return file;
}

/** A process for each task, with this program text. */
const script = (text: string) => () =>
  spawnedWorker<number, unknown>({ command: (task) => [process.execPath, "-e", text, String(task)] });

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe("processes that stay", () => {
  it("do one task after the other, and count", async () => {
    const file = program("return { task, pid: process.pid, nan: NaN };");
    interface Answer {
      readonly task: number;
      readonly pid: number;
      readonly nan: number;
    }
    const all: Finished<number, Answer>[] = [];
    const failures = await runTasks<number, Answer>([5, 6, 7, 8], {
      worker: () => forkedWorker(file),
      jobs: 2,
      done: (finished) => all.push(finished),
    });
    expect(failures).toEqual([]);
    expect(all.map((f) => [f.count, f.total])).toEqual([1, 2, 3, 4].map((n) => [n, 4]));
    expect(all.map((f) => f.index).sort()).toEqual([0, 1, 2, 3]);
    for (const { task, index, result } of all) {
      expect([task, result.task, result.nan]).toEqual([index + 5, index + 5, Number.NaN]);
      expect(isAlive(result.pid)).toBe(false);
    }
    expect(new Set(all.map((f) => f.result.pid)).size).toBeLessThanOrEqual(2);
  });

  it("name failed tasks and dead processes, and continue", async () => {
    const file = program(
      'if (task === 1) throw new Error("one is odd"); if (task === 2) process.exit(3); return task;',
    );
    const done: number[] = [];
    const failures = await runTasks([1, 2, 3], {
      worker: () => forkedWorker<number, number>(file),
      jobs: 1,
      done: ({ result }) => done.push(result),
    });
    expect(failures).toEqual([
      { task: 1, message: "one is odd" },
      { task: 2, message: "its process ended with code 3" },
    ]);
    expect(done).toEqual([3]);
  });

  it("start nothing after a failure if they are strict", async () => {
    const file = program('if (task === 2) throw new Error("no"); return task;');
    const done: number[] = [];
    const failures = await runTasks([1, 2, 3, 4], {
      worker: () => forkedWorker<number, number>(file),
      jobs: 1,
      strict: true,
      done: ({ result }) => done.push(result),
    });
    expect([failures.map((f) => f.task), done]).toEqual([[2], [1]]);
  });
});

describe("a process for each task", () => {
  it("prints its result in its last line", async () => {
    const done: unknown[] = [];
    const text = 'console.log("on the way"); console.log(JSON.stringify({ n: 2 * Number(process.argv[1]) }))';
    const failures = await runTasks([1, 2], {
      worker: script(text),
      jobs: 1,
      done: ({ result }) => done.push(result),
    });
    expect([failures, done]).toEqual([[], [{ n: 2 }, { n: 4 }]]);
  });

  it("reports why it failed, at least by its exit code", async () => {
    const text =
      'if (process.argv[1] === "1") { console.error("no disk"); process.exit(1) } console.log("words")';
    const failures = await runTasks([1, 2], { worker: script(text), jobs: 2, done() {} });
    expect(failures.sort((a, b) => a.task - b.task)).toEqual([
      { task: 1, message: "no disk" },
      { task: 2, message: 'exit code 0; the last line was "words"' },
    ]);
    const [missing] = await runTasks([1], {
      worker: () => spawnedWorker({ command: () => [join(folder(), "nothing-here")] }),
      jobs: 1,
      done() {},
    });
    expect(missing.message).toContain("ENOENT");
  });
});

describe("a pool", () => {
  it("that is stopped leaves no process behind, not even one that ignores signals", async () => {
    const notes = folder();
    const text = `process.on("SIGTERM", () => {});
      require("fs").writeFileSync(${JSON.stringify(notes)} + "/" + process.argv[1], String(process.pid));
      setInterval(() => {}, 1000)`;
    const started = (task: number) => existsSync(join(notes, String(task)));
    const failures = await runTasks([1, 2, 3], {
      worker: script(text),
      jobs: 2,
      stop: () => started(1) && started(2),
      done() {},
    });
    expect(failures).toEqual([]);
    expect(started(3)).toBe(false);
    for (const task of [1, 2])
      expect(isAlive(Number(readFileSync(join(notes, String(task)), "utf8")))).toBe(false);
  });

  it("does not count an error of the result callback as a failed task", async () => {
    const file = program("return process.pid;");
    const pids: number[] = [];
    const wrong = runTasks([1, 2, 3], {
      worker: () => forkedWorker<number, number>(file),
      jobs: 1,
      done({ result }) {
        pids.push(result);
        throw new Error("the disk is full");
      },
    });
    await expect(wrong).rejects.toThrow("the disk is full");
    expect(pids.length).toBe(1);
    expect(isAlive(pids[0])).toBe(false);
  });

  it("has nothing to do without tasks", async () => {
    expect(await runTasks([], { worker: script(""), jobs: 2, done() {} })).toEqual([]);
  });
});
