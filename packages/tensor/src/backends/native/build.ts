import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { refuse } from "../../environment.ts";
import { BuildError, SlowCompiler } from "./start.ts";
import type { Toolchain } from "./toolchain.ts";
import type { Job, Work } from "./work.ts";

export { BuildError } from "./start.ts";

/** Flags for gcc only: disables two passes that take a tenth of its time without effect here, and the scheduling of `runtimeFlags`. */
const gccOnly = new Set([
  "-fschedule-insns",
  "-fno-tree-bit-ccp",
  "-fno-tree-dominator-opts",
  "-fno-schedule-insns",
  "-fschedule-insns2",
  "-fexpensive-optimizations",
]);

/** Compilers that did not finish in time are not used again: every program would wait as long. */
const slow = new Map<string, SlowCompiler>();

/** Compiles C texts to the shared library `output`, in a separate folder. Several are compiled in parallel. */
export function* compileLibrary(
  toolchain: Toolchain,
  requested: readonly string[],
  sources: readonly string[],
  output: string,
): Work<void> {
  const { command, args, version } = toolchain;
  const known = slow.get(command);
  if (known) throw known;
  const flags = /clang/i.test(version) ? requested.filter((f) => !gccOnly.has(f)) : requested;
  const seconds = timeLimit(sources);
  // A killed compiler leaves its temporary files: they are removed with this folder.
  const env = { ...process.env, TMPDIR: join(dirname(output), "compiler") };
  mkdirSync(env.TMPDIR);
  const link = ["-o", output, "-lm", "-lpthread"];
  const job = (extra: readonly string[], input?: string): Job => ({
    command,
    args: [...args, ...extra],
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
    throw new BuildError(`The C compiler ${command} exited with status 0 but wrote no library.`);
}

/** Maximum seconds of a compiler for these texts: REINS_CC_TIMEOUT, or far more than it needs, even on a busy machine. */
export function timeLimit(sources: readonly string[]): number {
  const asked = process.env.REINS_CC_TIMEOUT;
  if (asked && !(Number(asked) > 0)) refuse("REINS_CC_TIMEOUT", asked, "use a number of seconds above 0.");
  if (asked) return Number(asked);
  const characters = sources.reduce((sum, text) => sum + text.length, 0);
  return 120 + Math.ceil(characters / 1000);
}
