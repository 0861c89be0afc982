import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { refuse } from "../../environment.ts";
import { BuildError, SlowCompiler } from "./start.ts";
import type { Toolchain } from "./toolchain.ts";
import type { Job, Work } from "./work.ts";

export { BuildError } from "./start.ts";

/** What only gcc knows: two passes that take a tenth of its time and find nothing here, and the scheduling of `runtimeFlags`. */
const gccOnly = new Set([
  "-fschedule-insns",
  "-fno-tree-bit-ccp",
  "-fno-tree-dominator-opts",
  "-fno-schedule-insns",
  "-fschedule-insns2",
  "-fexpensive-optimizations",
]);

/** Compilers that did not finish in time are not asked again: every program would wait as long. */
const slow = new Map<string, SlowCompiler>();

/** Compiles C texts to the shared library `output`, in a folder of its own. Several are compiled at the same time. */
export function* compileLibrary(
  toolchain: Toolchain,
  wishes: readonly string[],
  sources: readonly string[],
  output: string,
): Work<void> {
  const { command, args, version } = toolchain;
  const known = slow.get(command);
  if (known) throw known;
  const flags = /clang/i.test(version) ? wishes.filter((f) => !gccOnly.has(f)) : wishes;
  const seconds = timeLimit(sources);
  // A compiler that is killed leaves its own temporary files behind: there they are removed with ours.
  const env = { ...process.env, TMPDIR: join(dirname(output), "compiler") };
  mkdirSync(env.TMPDIR);
  const link = ["-o", output, "-lm", "-lpthread"];
  const job = (wish: readonly string[], input?: string): Job => ({
    command,
    args: [...args, ...wish],
    input,
    env,
    seconds,
  });
  try {
    if (sources.length === 1) yield [job([...flags, "-x", "c", "-", ...link], sources[0])];
    else {
      const objects = sources.map((_, i) => `${output}.${i}.o`);
      const compile = flags.filter((f) => f !== "-shared" && !f.startsWith("-Wl,"));
      yield sources.map((text, i) => job([...compile, "-x", "c", "-", "-c", "-o", objects[i]], text));
      yield [job([...flags, ...objects, ...link])];
    }
  } catch (error) {
    if (error instanceof SlowCompiler) slow.set(command, error);
    throw error;
  }
  if (!existsSync(output))
    throw new BuildError(`The C compiler ${command} said that all is well and wrote no library.`);
}

/** Seconds that a compiler may take for these texts: REINS_CC_TIMEOUT, else far more than it ever needs, even beside others. */
export function timeLimit(sources: readonly string[]): number {
  const asked = process.env.REINS_CC_TIMEOUT;
  if (asked && !(Number(asked) > 0))
    refuse("REINS_CC_TIMEOUT", asked, "it must be a number of seconds above 0.");
  if (asked) return Number(asked);
  const characters = sources.reduce((sum, text) => sum + text.length, 0);
  return 120 + Math.ceil(characters / 1000);
}
