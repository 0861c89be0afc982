import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Child } from "./child.ts";
import type { Pairs } from "./coverage.ts";
import type { Finding } from "./findings.ts";
import { generate } from "./generate.ts";
import type { Options } from "./options.ts";
import { printTest } from "./print.ts";
import type { Node } from "./program.ts";
import { reportPairs } from "./report.ts";
import { shrink } from "./shrink.ts";
import { groupsOf, slotSize } from "./slot.ts";

export interface Summary {
  readonly seed: number;
  readonly programs: number;
  readonly runs: number;
  readonly rounded: number;
  readonly seconds: number;
  /** Programs that PyTorch ran too; why it did not run others, with counts. */
  readonly torch: number;
  readonly skipped: Readonly<Record<string, number>>;
  /** One of each kind; `times` says how many programs showed it. */
  readonly findings: readonly {
    kind: string;
    detail: string;
    programs: number[];
    times: number;
    test: string;
  }[];
}

/** Runs the programs of a seed in several processes, and makes what is found small. */
export async function fuzz(options: Options, log: (line: string) => void): Promise<Summary> {
  const { seed, backends, jobs } = options;
  const cache = mkdtempSync(join(tmpdir(), "reins-fuzz-"));
  const env = {
    ...process.env,
    REINS_CACHE: cache,
    REINS_QUIET: "1",
    ...(options.guard ? { REINS_GUARD: "1" } : {}),
    ...(options.torch ? { REINS_FUZZ_TORCH: process.env.REINS_PYTHON || "python3" } : {}),
  };
  const children = Array.from({ length: jobs }, () => new Child(env));
  const started = Date.now();
  const slots =
    options.program === undefined
      ? Array.from({ length: Math.ceil(options.programs / slotSize) }, (_, i) => i)
      : // With its neighbours, as it was run when it was found.
        [Math.floor(options.program / slotSize)];
  const pairs: Pairs = new Map();
  const known = new Map<string, { finding: Finding; times: number; test: string }>();
  /** How often findings that look alike came up. */
  const seen = new Map<string, number>();
  const total = { programs: 0, runs: 0, rounded: 0, nodes: 0, found: 0, torch: 0 };
  const skipped = new Map<string, number>();
  try {
    await Promise.all(
      children.map(async (child) => {
        for (let slot = slots.shift(); slot !== undefined; slot = slots.shift()) {
          const answer = await child.ask({ kind: "slot", seed, slot, backends });
          if ("death" in answer) await keep(await causeOf(child, answer, slot), child);
          else {
            const { result } = answer;
            for (const [k, n] of result.pairs) pairs.set(k, (pairs.get(k) ?? 0) + n);
            total.programs += result.programs;
            total.runs += result.runs;
            total.rounded += result.rounded;
            total.nodes += result.nodes;
            total.torch += result.torch;
            for (const [why, n] of result.skipped) skipped.set(why, (skipped.get(why) ?? 0) + n);
            await keep(
              result.findings.filter(
                (f) => options.program === undefined || f.programs.some((p) => p.index === options.program),
              ),
              child,
            );
          }
          const minutes = (Date.now() - started) / 60000;
          log(
            `${total.programs} programs, ${Math.round(total.programs / minutes)} a minute, ${pairs.size} pairs, ${total.found} found (${known.size} different)${options.torch ? `, ${total.torch} with PyTorch` : ""}`,
          );
        }
      }),
    );
  } finally {
    for (const c of children) c.end();
    rmSync(cache, { recursive: true, force: true });
  }
  if (options.report) writeFileSync(options.report, reportPairs(pairs));
  return {
    seed,
    programs: total.programs,
    runs: total.runs,
    rounded: total.rounded,
    seconds: (Date.now() - started) / 1000,
    torch: total.torch,
    skipped: Object.fromEntries([...skipped].sort((a, b) => b[1] - a[1])),
    findings: [...known.values()].map(({ finding, times, test }) => ({
      kind: finding.kind,
      detail: finding.detail,
      programs: finding.programs.map((p) => p.index),
      times,
      test,
    })),
  };

  /** Which program made a process die: each is run alone. */
  async function causeOf(
    child: Child,
    { death, programs, setting }: Exclude<Awaited<ReturnType<Child["ask"]>>, { result: unknown }>,
    slot: number,
  ): Promise<Finding[]> {
    if (!setting) {
      const [first] = groupsOf(seed, slot, backends);
      return [
        {
          kind: "crash",
          detail: `while making programs of slot ${slot}: ${death}`,
          programs: [generate(seed, slot * slotSize).program],
          setting: first.setting,
        },
      ];
    }
    const alone: Finding[] = [];
    for (const p of programs) {
      const answer = await child.ask({ kind: "check", programs: [p], setting }, 60);
      if ("death" in answer) alone.push({ kind: "crash", detail: answer.death, programs: [p], setting });
    }
    return alone.length ? alone : [{ kind: "crash", detail: death, programs, setting }];
  }

  async function keep(findings: readonly Finding[], child: Child): Promise<void> {
    for (const f of findings) {
      total.found++;
      // What looks the same before shrinking is most often the same: a few of each are made small.
      const rough = `${f.kind} ${f.programs.length === 1} ${f.detail.replace(/[-\d.e+]+/g, "").slice(0, 60)}`;
      const many = (seen.get(rough) ?? 0) + 1;
      seen.set(rough, many);
      if (many > (f.kind === "zero sign" || f.kind === "memory" ? 2 : 40) && options.program === undefined)
        continue;
      const small =
        options.shrink && f.kind !== "reference"
          ? await shrink(
              f,
              (programs, setting) => probe(child, programs, setting, f.kind === "torch"),
              options.shrink,
            )
          : f;
      const signature = `${small.kind} ${small.programs.map((p) => opsOf(p.nodes).sort().join(" ")).join(" | ")}`;
      const before = known.get(signature);
      if (before) {
        before.times++;
        continue;
      }
      const test = small.programs
        .map((p) => printTest(p, small.setting, `${small.kind}: ${small.detail}`))
        .join("\n");
      known.set(signature, { finding: small, times: 1, test });
      const numbers = f.programs.map((p) => p.index);
      const text = `# ${small.kind}: ${small.detail}

seed ${seed}, ${numbers.length === 1 ? `program ${numbers[0]}` : `programs ${numbers.join(", ")} together`}, ${JSON.stringify(small.setting)}
${numbers.length === 1 ? `\n    npm run fuzz -- --seed ${seed} --program ${numbers[0]}\n` : ""}
\`\`\`ts
${test}
\`\`\`
`;
      log(text);
      if (options.findings) {
        mkdirSync(options.findings, { recursive: true });
        writeFileSync(
          join(
            options.findings,
            `${String(known.size).padStart(3, "0")}-${small.kind.replace(" ", "-")}-${seed}-${numbers[0]}.md`,
          ),
          text,
        );
      }
    }
  }
}

async function probe(
  child: Child,
  programs: Finding["programs"],
  setting: Finding["setting"],
  torch: boolean,
): Promise<Finding | undefined> {
  const answer = await child.ask({ kind: "check", programs, setting, torch }, 60);
  if ("death" in answer) return { kind: "crash", detail: answer.death, programs, setting };
  return answer.result.findings.find((f) => !f.detail.startsWith("one at a time"));
}

const opsOf = (nodes: readonly Node[]): string[] =>
  nodes.flatMap((n) => [n.op, ...(n.blocks ?? []).flatMap((b) => opsOf(b.nodes))]);
