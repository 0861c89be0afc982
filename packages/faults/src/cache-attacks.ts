import { chmodSync, cpSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { filesIn } from "./compare.ts";
import type { Fault } from "./fault.ts";
import { mutations } from "./mutations.ts";
import { built, type ProcessOptions, type ProcessResult, runNode } from "./process.ts";
import type { Random } from "./random.ts";

/** Results of the processes of a trial. */
export interface Attacked {
  /** A description of the attack. */
  readonly what: string;
  /** Results that must come from a working compiler and cache, or a repaired one. */
  readonly sound: readonly ProcessResult[];
  /** Results that may come from WebAssembly. */
  readonly harmed?: readonly ProcessResult[];
}

/** Attacks a cache in an empty folder; `full` is a filled cache, which must not change. */
type Attack = (full: string, folder: string, random: Random) => Promise<Attacked>;

/** Runs the functions of `kernels.ts` with a cache. */
export const compute = (cache: string, { env, ...options }: ProcessOptions = {}) =>
  runNode([built("kernels")], {
    ...options,
    env: { REINS_CACHE: cache, REINS_QUIET: "1", ...env },
  });

const copied = (full: string, folder: string) => {
  const path = join(folder, "cache");
  cpSync(full, path, { recursive: true });
  chmodSync(path, 0o700);
  return path;
};

/** A compiler that answers `--version` like the real one, and then misbehaves. */
function falseCompiler(folder: string, body: string): string {
  const path = join(folder, "cc");
  const cc = process.env.CC ?? "cc";
  writeFileSync(path, `#!/bin/sh\n[ "$1" = --version ] && exec ${cc} --version\n${body}\n`, { mode: 0o755 });
  return path;
}

/** The attacks on a cache, by name. */
export const attacks: { readonly [name: string]: Attack } = {
  async damaged(full, folder, random) {
    const path = copied(full, folder);
    const all = filesIn(path);
    const kind = random.of([/\.so$/, /\.plan\.json$/, /^(?!.*plan).*\.json$/]);
    const files = all.filter((file) => kind.test(file));
    const what: string[] = [];
    for (let left = 1 + random.below(Math.min(3, files.length)); left > 0; ) {
      const [file] = files.splice(random.below(files.length), 1);
      const how = random
        .of(mutations)
        .apply(file, random, random.of(all.filter((f) => kind.test(f) && f !== file)));
      if (!how) files.push(file);
      else what.push(`${basename(file)} ${how}`);
      if (how) left--;
    }
    // Twice: the second run must be able to use what the first repaired.
    return { what: what.join(", "), sound: [await compute(path), await compute(path)] };
  },
  async compiler(full, folder, random) {
    const [how, body] = random.of([
      ["fails", "echo no >&2; exit 1"],
      ["is killed", "kill -9 $$"],
      ["writes nothing", "exit 0"],
      ["writes rubbish", 'while [ "$1" != -o ]; do shift; done; echo rubbish > "$2"'],
      ["hangs", "exec sleep 1000"],
    ]);
    const CC = falseCompiler(folder, body);
    const [empty, where] = random.chance(0.5)
      ? ["an empty cache", join(folder, "new")]
      : ["a full cache", copied(full, folder)];
    const first = await compute(where, { env: { CC, REINS_CC_TIMEOUT: "5" } });
    // Output of the bad compiler must not affect runs with a good one.
    return { what: `${how}, ${empty}`, harmed: [first], sound: [await compute(where)] };
  },
  async together(_, folder, random) {
    const n = 2 + random.below(2);
    const path = join(folder, "new");
    const all = await Promise.all(Array.from({ length: n }, () => compute(path)));
    return { what: `${n} processes`, sound: [...all, await compute(path)] };
  },
  async killed(_, folder, random) {
    const path = join(folder, "new");
    const fault: Fault = {
      root: path,
      kind: "kill",
      at: 1 + random.below(30),
      when: random.of(["before", "after"]),
    };
    const first = random.chance(0.7)
      ? await compute(path, { fault })
      : await compute(path, { killAfter: 200 + random.below(2500) });
    // The kill is intended.
    const dead = first.code === null && !first.hung;
    return { what: `at operation ${fault.at}`, sound: [...(dead ? [] : [first]), await compute(path)] };
  },
  async disk(full, folder, random) {
    const path = random.chance(0.5) ? join(folder, "new") : copied(full, folder);
    const code = random.of(["ENOSPC", "EROFS", "EIO", "EACCES"]);
    const [at, lasting, reads] = [1 + random.below(20), random.chance(0.7), random.chance(0.3)];
    const fault: Fault = { root: path, kind: "fail", at, code, lasting, reads };
    const what = `${code} from operation ${at}${reads ? ", reads too" : ""}`;
    return { what, harmed: [await compute(path, { fault })], sound: [await compute(path)] };
  },
  async pruned(full, folder, random) {
    const path = copied(full, folder);
    const wait = random.below(20);
    const clock = setInterval(() => {
      for (const name of readdirSync(path).filter((n) => /\.(so|json)$/.test(n)))
        if (random.chance(0.2)) rmSync(join(path, name), { recursive: true, force: true });
    }, 5 + wait);
    const result = await compute(path);
    clearInterval(clock);
    return { what: `every ${5 + wait} ms`, sound: [result, await compute(path)] };
  },
};
