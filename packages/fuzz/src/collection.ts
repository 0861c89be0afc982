import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { probe } from "./cause.ts";
import type { Child } from "./child.ts";
import type { Finding } from "./findings.ts";
import type { Options } from "./options.ts";
import { printTest } from "./print.ts";
import type { Node } from "./program.ts";
import { shrink } from "./shrink.ts";

/** A kind of finding: the first one, its number of occurrences, and a reproducing test. */
export interface Kept {
  readonly finding: Finding;
  times: number;
  readonly test: string;
}

/** Findings, shrunk, one of each kind. */
export class Collection {
  /** Total number of findings. */
  found = 0;
  private readonly options: Options;
  private readonly log: (line: string) => void;
  private readonly known = new Map<string, Kept>();
  /** Number of similar findings, by signature. */
  private readonly seen = new Map<string, number>();

  constructor(options: Options, log: (line: string) => void) {
    this.options = options;
    this.log = log;
  }

  /** One of each kind. */
  get kinds(): readonly Kept[] {
    return [...this.known.values()];
  }

  /** Adds findings. The child runs the candidates of shrinking. */
  async add(findings: readonly Finding[], child: Child): Promise<void> {
    const { shrink: seconds } = this.options;
    for (const f of findings) {
      this.found++;
      if (this.isTiresome(f)) continue;
      const small =
        seconds && f.kind !== "reference" && f.kind !== "bits"
          ? await shrink(f, (p, setting) => probe(child, p, setting, f.kind === "torch"), seconds)
          : f;
      this.keep(f, small);
    }
  }

  /** Findings that look the same before shrinking usually are: only a few of each are shrunk. */
  private isTiresome(f: Finding): boolean {
    const rough = `${f.kind} ${f.programs.length === 1} ${f.detail.replace(/[-\d.e+]+/g, "").slice(0, 60)}`;
    const many = (this.seen.get(rough) ?? 0) + 1;
    this.seen.set(rough, many);
    const enough = f.kind === "zero sign" || f.kind === "memory" ? 2 : 40;
    return many > enough && this.options.program === undefined;
  }

  private keep(found: Finding, small: Finding): void {
    const signature = `${small.kind} ${small.programs.map((p) => opsOf(p.nodes).sort().join(" ")).join(" | ")}`;
    const before = this.known.get(signature);
    if (before) {
      before.times++;
      return;
    }
    const test = small.programs
      .map((p) => printTest(p, small.setting, `${small.kind}: ${small.detail}`))
      .join("\n");
    this.known.set(signature, { finding: small, times: 1, test });
    const { seed, findings: folder } = this.options;
    const numbers = found.programs.map((p) => p.index);
    const text = page(small, test, seed, numbers);
    this.log(text);
    if (!folder) return;
    mkdirSync(folder, { recursive: true });
    const number = String(this.known.size).padStart(3, "0");
    const name = `${number}-${small.kind.replace(" ", "-")}-${seed}-${numbers[0]}.md`;
    writeFileSync(join(folder, name), text);
  }
}

/** A finding as readable text. */
const page = (
  { kind, detail, setting }: Finding,
  test: string,
  seed: number,
  numbers: readonly number[],
) => `# ${kind}: ${detail}

seed ${seed}, ${numbers.length === 1 ? `program ${numbers[0]}` : `programs ${numbers.join(", ")} together`}, ${JSON.stringify(setting)}
${numbers.length === 1 ? `\n    npm run fuzz -- --seed ${seed} --program ${numbers[0]}\n` : ""}
\`\`\`ts
${test}
\`\`\`
`;

const opsOf = (nodes: readonly Node[]): string[] =>
  nodes.flatMap((n) => [n.op, ...(n.blocks ?? []).flatMap((b) => opsOf(b.nodes))]);
