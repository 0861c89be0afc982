import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Campaign, Outcome } from "./campaign.ts";
import { changesBetween, digestsOf, writeCanary } from "./canary.ts";
import { configurations } from "./configurations.ts";
import { endingOf } from "./ending.ts";
import { makeHostile } from "./hostile-folders.ts";
import { codeFor } from "./hostile-values.ts";
import type { ProcessResult } from "./process.ts";
import type { Random } from "./random.ts";
import { references } from "./reference.ts";
import type { Scratch } from "./scratch.ts";
import { copyOf, sharedProcess } from "./stopped-runs.ts";

/** Seconds after which a command counts as hanging. */
const limit = 60;

/** Commands on a hostile run. */
const commands: readonly (readonly string[])[] = [
  "resume run --steps 1600 --eval-episodes 1 --quiet",
  "resume run --eval-episodes 1 --quiet",
  "eval run --episodes 1",
  "watch run --episodes 1 --fps 0",
  "watch run --recorded --fps 0",
  "diagnose run",
  "export run --safetensors out/weights.safetensors --agent out/mine.agent",
  "export run --onnx out/policy.onnx --module out/act.js",
  "train --from run --steps 64 --eval-episodes 1 --no-save --quiet",
  "runs --root .",
  "runs compare run",
  "runs plot run",
  "transcript run --tokens",
  "metrics",
].map((line) => line.split(" "));

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are searched for
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Creates hostile run folders. */
export const hostile: Campaign = {
  name: "hostile",
  about:
    "Run folders made by an attacker: links, pipes and devices at any path, names of code files, escape sequences, unbounded numbers and nesting. No command may change files outside, run code, or fail without a named error.",
  unit: "folders",
  columns: ["folders", "commands", "well", "named", "wrong"],
  async open(scratch) {
    const imported = join(scratch.path, "imported");
    process.env.REINS_PYTHON = fakePython(scratch, imported);
    const referenceOf = references(scratch);
    const c = configurations().find(({ name }) => name === "ppo")!;
    const shared = sharedProcess();
    const use = (own: boolean, args: readonly string[], folder: string) =>
      shared.runner({ ...c, own }, args, folder, { limit });
    return {
      async trial(_, random) {
        const { folder } = await referenceOf(c);
        return tried({ folder: copyOf(scratch, folder, "hostile"), imported, scratch }, use, random);
      },
      close: shared.close,
    };
  },
};

/** An interpreter that only records that it was started. */
function fakePython(scratch: Scratch, imported: string): string {
  const python = join(scratch.path, "python");
  writeFileSync(python, `#!/bin/sh\necho python >> ${imported}\n`);
  chmodSync(python, 0o755);
  return python;
}

interface Trial {
  readonly folder: string;
  readonly imported: string;
  readonly scratch: Scratch;
}

async function tried(
  { folder, imported, scratch }: Trial,
  use: (own: boolean, args: readonly string[], folder: string) => Promise<ProcessResult>,
  random: Random,
): Promise<Outcome> {
  const canary = join(folder, "canary");
  writeCanary(canary);
  writeFileSync(join(canary, "evil.mjs"), codeFor(imported));
  writeFileSync(join(folder, "evil.mjs"), codeFor(imported));
  mkdirSync(join(folder, "out"));
  const what = makeHostile({ run: join(folder, "run"), canary }, random);
  // The run's own commands write to `run`, exports go to `out`.
  const look = () => digestsOf(folder, ["run", "out", ".deleted"]);
  const before = look();
  const counts = { folders: 1, commands: 0, well: 0, named: 0, wrong: 0 };
  const findings: string[] = [];
  const studio = ["studio", ".", "run"];
  for (const args of [random.of(commands), random.of(commands), random.of(commands), studio]) {
    const result = await use(args === studio, args, folder);
    const ending = endingOf(result);
    counts.commands++;
    counts[ending.kind]++;
    const line = args.join(" ");
    if (ending.kind === "wrong") findings.push(`${line}: ${ending.why}`);
    else if (args === studio && result.code !== 0) findings.push(`${line}: ${result.err}`);
    if (controls.test(result.out + result.err))
      findings.push(`${line}: a control character reached the terminal`);
    for (const change of changesBetween(before, look())) findings.push(`${line}: ${change}`);
    if (existsSync(imported)) findings.push(`${line}: untrusted code was run`);
    rmSync(imported, { force: true });
  }
  if (!findings.length) scratch.remove(folder);
  return { what, counts, findings };
}
