import { defaultRng, stream } from "@reins/core/random";
import { expect } from "vitest";
import { episodeOf } from "../../tasks/episode.ts";
import { longestConversation } from "../../tasks/lengths.ts";
import { type Split, sampleProblem } from "../../tasks/sample-problem.ts";
import type { TextTask } from "../../tasks/text-task.ts";
import { characters } from "../../tokenizers/characters.ts";
import { conversationVerdict } from "../conversation-verifier.ts";
import { converse } from "../converse.ts";
import { playerOf } from "../players.ts";
import type { Conversation, Speaker } from "../speaker.ts";

/** Plays an environment with a scripted player as the model. */
export async function playedBy(
  task: TextTask,
  skill: string,
  { level, index, split = "train" }: { level: number; index: number; split?: Split },
): Promise<Conversation> {
  const player = playerOf(task, skill);
  return playedWith(task, (problem, conversation, random) => player(problem, conversation, random), {
    level,
    index,
    split,
  });
}

async function playedWith(
  task: TextTask,
  write: ReturnType<typeof playerOf>,
  { level, index, split = "train" }: { level: number; index: number; split?: Split },
): Promise<Conversation> {
  const tokenizer = characters(task.alphabet);
  const problem = sampleProblem(task, level, split, index, 1);
  const random = defaultRng(stream(7, "player", index));
  const speaker: Speaker = async (_, conversation) => {
    const text = write(problem, conversation, random);
    return {
      text,
      span: { by: "policy", tokens: [...tokenizer.encode(text), tokenizer.end] },
      ended: "end",
    };
  };
  return converse(problem, speaker, { task, tokenizer, seed: stream(3, "world", index) });
}

/** The mean score of a player over some problems. */
export async function scoreOf(task: TextTask, skill: string, level: number, count = 60): Promise<number> {
  let sum = 0;
  for (let index = 0; index < count; index++) {
    const { result } = await playedBy(task, skill, { level, index });
    const { score = 0, failed } = await conversationVerdict(task, result);
    expect(failed, `${skill} at level ${level}`).toBeUndefined();
    sum += score;
  }
  return sum / count;
}

/** Texts of an untrained model. */
const nonsense =
  (alphabet: string, longest: number) => (_: unknown, __: unknown, random: ReturnType<typeof defaultRng>) =>
    Array.from({ length: random.integers(longest + 1) }, () => random.choice(alphabet)).join("");

/**
 * Requirements of every multi-turn environment, at every level: problems in both splits, the same conversation from
 * the same seed, texts within the stated alphabet and lengths, an expert that is (nearly) always right, a random
 * player that is not, and no failure for any text of a model. `least` is the expert's minimum score, `most` the
 * random player's maximum.
 */
export async function checkMultiTurnTask(given: TextTask, { least = 0.99, most = 0.5 } = {}): Promise<void> {
  const known = new Set(given.alphabet);
  const strange = (text = "") => [...text].filter((c) => !known.has(c));
  // Characters without a token are dropped before a message is shown: detect them here.
  const { turn: reply } = episodeOf(given);
  const task: TextTask = reply
    ? {
        ...given,
        episode: {
          ...given.episode,
          async turn(...args) {
            const turn = await reply(...args);
            expect(strange(turn.say), `${given.id}: what its environment says`).toEqual([]);
            return turn;
          },
        },
      }
    : given;
  for (let level = 1; level <= task.levels; level++) {
    const where = `${task.id}, level ${level}`;
    for (const split of ["train", "test"] as const) sampleProblem(task, level, split, 0);
    for (let index = 0; index < 20; index++) {
      const held = await playedBy(task, "expert", { level, index });
      const again = await playedBy(task, "expert", { level, index });
      expect(again.result.messages, where).toEqual(held.result.messages);
      expect(structuredClone(held.result.problem), where).toEqual(held.result.problem);
      expect(held.context.tokens.length, `${where}: longest.conversation`).toBeLessThanOrEqual(
        longestConversation(task),
      );
      held.result.messages.forEach(({ role, content }, i) => {
        expect(strange(content), `${where}: alphabet`).toEqual([]);
        if (role === "assistant") expect(content.length, where).toBeLessThanOrEqual(task.longest.answer);
        if (i === 0) expect(content.length, where).toBeLessThanOrEqual(task.longest.prompt);
      });
      const babble = nonsense(task.alphabet, task.longest.answer) as never;
      const { result, context } = await playedWith(task, babble, { level, index });
      expect(result.failed, where).toBeUndefined();
      expect((await conversationVerdict(task, result)).failed, where).toBeUndefined();
      // Tool results may be truncated; the environment's messages must fit its alphabet.
      expect(context.tokens.length, where).toBeLessThanOrEqual(
        longestConversation(task) + task.longest.answer,
      );
    }
    expect(await scoreOf(task, "expert", level), `${where}: the expert`).toBeGreaterThanOrEqual(least);
    expect(await scoreOf(task, "random", level), `${where}: chance`).toBeLessThanOrEqual(most);
  }
}
