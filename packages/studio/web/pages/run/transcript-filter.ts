import { meanOf } from "reins/core";
import type { TranscriptLine } from "../../../src/wire.ts";

/** What texts are looked for; what is empty asks for nothing. */
export interface Wish {
  readonly words: string;
  readonly reward: string;
  readonly rewardTo: string;
  readonly tokens: string;
  readonly tokensTo: string;
  readonly task: string;
  /** Who wrote the model's part. */
  readonly by: string;
}

/** Asks for nothing. */
export const allOf: Wish = {
  ...{ words: "", reward: "", rewardTo: "", tokens: "", tokensTo: "" },
  ...{ task: "", by: "" },
};

/** What parts of a wish can be, where they cannot be anything: what is none of it asks for nothing. */
const isNumber = (x: string) => x.trim() !== "" && Number.isFinite(Number(x));
const canBe: Readonly<Partial<Record<string, (x: string) => boolean>>> = {
  ...{ reward: isNumber, rewardTo: isNumber, tokens: isNumber, tokensTo: isNumber },
  by: (x) => x === "policy" || x === "teacher",
};

/** What an address asks for. */
export const wishIn = (query: URLSearchParams): Wish =>
  Object.fromEntries(
    Object.keys(allOf).map((name) => {
      const x = query.get(name) ?? "";
      return [name, canBe[name]?.(x) === false ? "" : x];
    }),
  ) as unknown as Wish;

/** The same in an address: what asks for nothing is not in it. */
export const asQuery = (wish: Wish): Record<string, string> =>
  Object.fromEntries(Object.entries(wish).filter(([, x]) => x !== ""));

/** Whether a text is what is looked for. */
export function wished(t: TranscriptLine, wish: Wish): boolean {
  const { words, reward, rewardTo, tokens, tokensTo, task, by } = wish;
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

/** Samples of one problem (by its key) and role that were kept at the same step; the chosen one comes first. */
export function groupOf(all: readonly TranscriptLine[], chosen: TranscriptLine): TranscriptLine[] {
  const same = ["step", "problem", "by", "role"] as const;
  const others = all.filter((t) => t !== chosen && same.every((part) => t[part] === chosen[part]));
  return [chosen, ...others];
}

/** What a group is, in words. */
export function groupWords(group: readonly TranscriptLine[]): string {
  const rewards = group.flatMap(({ reward }) => reward ?? []);
  if (rewards.length === 0) return `${group.length} samples of the same problem`;
  const most = Math.max(...rewards);
  const spread =
    Math.min(...rewards) === most
      ? `all with reward ${text(most)}`
      : `mean reward ${text(meanOf(rewards))}, ${rewards.filter((r) => r === most).length} with the most, ${text(most)}`;
  return `${group.length} samples of the same problem, ${spread}`;
}

const text = (x: number) => `${Number(x.toPrecision(3))}`.replace("-", "−");

/** The text so many places further in a list; from outside of it, the first. Undefined beyond its ends. */
export function stepIn<T>(list: readonly T[], from: T | undefined, by: number): T | undefined {
  const at = from === undefined ? -1 : list.indexOf(from);
  return at < 0 ? list[0] : list[at + by];
}
