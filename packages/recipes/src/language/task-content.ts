import { createHash } from "node:crypto";
import { defaultRng } from "@reins/core/random";
import { episodeOf, isMultiTurn, type Problem, type TextTask } from "@reins/language";

/** Problems per level in the digest. */
const some = 256;

/**
 * A digest of a language task: its description, the source of its functions, its listed problems, and a sample of its
 * generated problems. The id alone would stay equal when problems change, and function sources do not show their closures; problems do.
 */
export function taskContent(task: TextTask): string {
  const known = digests.get(task);
  if (known) return known;
  const { id, levels, alphabet, longest, listed, make, verify } = task;
  const hash = createHash("sha256");
  hash.update(JSON.stringify([id, levels, alphabet, longest, listed, String(make), String(verify)]));
  if (isMultiTurn(task)) hash.update(JSON.stringify(talkContent(task)));
  for (let level = 1; level <= levels && !listed; level++) {
    const random = defaultRng([level, some]);
    for (let i = 0; i < some; i++) {
      const problem = { ...task.make(random, level), level };
      hash.update(JSON.stringify({ ...problem, level: undefined }));
      if (isMultiTurn(task)) hash.update(firstTurns(task, problem));
    }
  }
  const content = `${id} ${hash.digest("hex").slice(0, 16)}`;
  digests.set(task, content);
  return content;
}

/** The first turn of each player: players close over settings that their source does not show. */
function firstTurns(task: TextTask, problem: Problem): string {
  const { players, begin } = episodeOf(task);
  const random = defaultRng([some, problem.level]);
  const state = (begin ? begin(problem, random) : structuredClone(problem.data)) as never;
  const talk = { state, messages: [{ role: "user" as const, content: problem.prompt }], turns: 0 };
  return JSON.stringify(Object.values(players).map((player) => player(problem, talk, random)));
}

/** The conversation part of a language task, with the source of all functions. */
function talkContent({ listed: _, make: __, verify: ___, ...talking }: TextTask): unknown {
  const plain = (value: unknown): unknown => {
    if (typeof value === "function") return String(value);
    if (Array.isArray(value)) return value.map(plain);
    if (value === null || typeof value !== "object") return value;
    return Object.entries(value).map(([name, v]) => [name, plain(v)]);
  };
  return plain(talking);
}

const digests = new WeakMap<TextTask, string>();
