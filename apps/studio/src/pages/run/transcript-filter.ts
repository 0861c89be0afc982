import type { TranscriptLine } from "@reins/studio/wire";
import { meanOf } from "reins/core/evaluations";

/** A filter of transcripts; empty fields match everything. */
export interface TranscriptFilter {
  readonly words: string;
  readonly reward: string;
  readonly rewardTo: string;
  readonly tokens: string;
  readonly tokensTo: string;
  readonly task: string;
  /** Author of the completion: `policy` or `teacher`. */
  readonly by: string;
}

/** The filter that matches everything. */
export const noFilter: TranscriptFilter = {
  ...{ words: "", reward: "", rewardTo: "", tokens: "", tokensTo: "" },
  ...{ task: "", by: "" },
};

const isNumber = (x: string) => x.trim() !== "" && Number.isFinite(Number(x));
const isValid: Readonly<Partial<Record<string, (x: string) => boolean>>> = {
  ...{ reward: isNumber, rewardTo: isNumber, tokens: isNumber, tokensTo: isNumber },
  by: (x) => x === "policy" || x === "teacher",
};

/** The filter in a URL; invalid values are ignored. */
export const filterIn = (query: URLSearchParams): TranscriptFilter =>
  Object.fromEntries(
    Object.keys(noFilter).map((name) => {
      const x = query.get(name) ?? "";
      return [name, isValid[name]?.(x) === false ? "" : x];
    }),
  ) as unknown as TranscriptFilter;

/** A filter as a URL query, without empty fields. */
export const filterQuery = (filter: TranscriptFilter): Record<string, string> =>
  Object.fromEntries(Object.entries(filter).filter(([, x]) => x !== ""));

/** Whether a transcript matches a filter. */
export function matchesFilter(t: TranscriptLine, filter: TranscriptFilter): boolean {
  const { words, reward, rewardTo, tokens, tokensTo, task, by } = filter;
  const said = `${t.prompt} ${t.answer}`.toLowerCase();
  return (
    said.includes(words.toLowerCase()) &&
    (reward === "" || (t.reward ?? Number.NEGATIVE_INFINITY) >= Number(reward)) &&
    (rewardTo === "" || (t.reward ?? Number.POSITIVE_INFINITY) <= Number(rewardTo)) &&
    (tokens === "" || t.tokens >= Number(tokens)) &&
    (tokensTo === "" || t.tokens <= Number(tokensTo)) &&
    (task === "" || t.task === task) &&
    (by === "" || t.by === by)
  );
}

/** Recorded samples of the same problem, role and step, with the chosen one first. */
export function groupOf(all: readonly TranscriptLine[], chosen: TranscriptLine): TranscriptLine[] {
  const same = ["step", "problem", "by", "role"] as const;
  const others = all.filter((t) => t !== chosen && same.every((part) => t[part] === chosen[part]));
  return [chosen, ...others];
}

/** A summary of a group of samples. */
export function groupWords(group: readonly TranscriptLine[]): string {
  const rewards = group.flatMap(({ reward }) => reward ?? []);
  if (rewards.length === 0) return `${group.length} samples of the same problem`;
  const most = Math.max(...rewards);
  const spread =
    Math.min(...rewards) === most
      ? `all with reward ${text(most)}`
      : `mean reward ${text(meanOf(rewards))}, maximum ${text(most)} (${rewards.filter((r) => r === most).length} of ${rewards.length})`;
  return `${group.length} samples of the same problem, ${spread}`;
}

const text = (x: number) => `${Number(x.toPrecision(3))}`.replace("-", "−");

/** The item `by` places after another; the first if that is not in the list, undefined beyond its ends. */
export function stepIn<T>(list: readonly T[], from: T | undefined, by: number): T | undefined {
  const at = from === undefined ? -1 : list.indexOf(from);
  return at < 0 ? list[0] : list[at + by];
}
