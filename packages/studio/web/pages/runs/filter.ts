import type { RunLine } from "../../../src/wire.ts";

/** Whether a run is what the words say: all of them, `state:`, `tag:`, `env:`, `algorithm:` and `seed:` in their fields, others anywhere. */
export function matches(run: RunLine, words: string): boolean {
  const any = [run.name, run.algorithm, run.env, run.given, run.state, run.note, ...run.tags]
    .join(" ")
    .toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => {
      const [, field, value] = /^(state|tag|env|algorithm|seed):(.*)$/.exec(word) ?? [];
      if (field === undefined) return any.includes(word);
      if (field === "tag") return run.tags.some((t) => t.toLowerCase().includes(value));
      if (field === "seed") return String(run.seed) === value;
      return run[field as "state" | "env" | "algorithm"].toLowerCase().includes(value);
    });
}
