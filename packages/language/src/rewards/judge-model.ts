import { fail } from "@reins/core";
import { loadModel } from "../models/folder.ts";
import type { LanguageModel } from "../models/language-model.ts";
import { textLikelihood } from "../rollouts/text-likelihood.ts";
import { conversationEncoder } from "../tokenizers/conversation-encoder.ts";
import { type HubTokenizer, loadTokenizer } from "../tokenizers/hub.ts";
import type { Message } from "../tokenizers/message.ts";
import type { Tokenizer } from "../tokenizers/tokenizer.ts";

/** A prompted model that judges: it chooses among replies. */
export interface JudgeModel {
  /** The probability of each reply, given that it is one of them. */
  choose(messages: readonly Message[], replies: readonly string[]): Promise<readonly number[]>;
}

/** A language model as a judge. Probabilities are those of the model, without sampling. */
export function languageJudge(
  start: LanguageModel,
  tokenizer: Tokenizer & Partial<HubTokenizer>,
): JudgeModel {
  const likelihood = textLikelihood(start.model);
  const encoder = conversationEncoder(tokenizer);
  const { context } = start.options;
  return {
    async choose(messages, replies) {
      const prompt = encoder.encodePrompt(messages);
      const texts = replies.map((reply) => ({
        spans: [
          { by: "environment", tokens: prompt },
          { by: "teacher", tokens: tokenizer.encode(reply) },
        ],
      }));
      const longest = Math.max(...texts.map(({ spans }) => spans[0].tokens.length + spans[1].tokens.length));
      if (longest > context)
        fail(
          "judge",
          `its prompt takes ${longest} tokens with a reply, and the context of its model is ${context}. Shorten the completions or the rubric.`,
        );
      const { returns, lengths } = await likelihood(start.params, texts);
      const logits = returns.map((mean, i) => mean * lengths[i]);
      const top = Math.max(...logits);
      const weights = [...logits.map((x) => Math.exp(x - top))];
      const total = weights.reduce((a, b) => a + b, 0);
      return weights.map((w) => w / total);
    },
  };
}

/** Loads the model of a Hugging Face folder as a judge. */
export async function loadJudgeModel(folder: string): Promise<JudgeModel> {
  const start = await loadModel(folder);
  return languageJudge(start, await loadTokenizer(folder, start.options.vocabulary));
}

/** The highest grade after a grade: "4/5", "4 out of 5". */
const scale = /(?<=\d)\s*(?:\/|out of|of)\s*\d+/g;

/**
 * A judge behind a function from messages to a reply, such as a call of an API: the one of the replies that occurs in what
 * it says has probability 1. Several of them are refused: "on a scale from 1 to 5" names two, and "A" is also a word.
 */
export const repliesJudge = (ask: (messages: readonly Message[]) => Promise<string>): JudgeModel => ({
  async choose(messages, replies) {
    const said = await ask(messages);
    const text = said.replace(scale, "");
    const named = replies.filter((reply) => {
      const word = reply.trim().replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      return new RegExp(`(?<![\\p{L}\\p{N}]|\\d\\.)${word}(?![\\p{L}\\p{N}]|\\.\\d)`, "u").test(text);
    });
    if (named.length !== 1)
      fail(
        "judge",
        `the reply ${JSON.stringify(said.slice(0, 100))} has ${named.length ? named.join(" and ") : `none of ${replies.join(", ")}`}. Ask for one of them alone.`,
      );
    return replies.map((reply) => Number(reply === named[0]));
  },
});
