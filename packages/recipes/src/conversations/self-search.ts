import { type MultiTurn, type TextTask, textTask } from "@reins/language";
import { fromMemory, type LookupFacts, lookupNames, lookups } from "./lookups.ts";
import { searching } from "./search.ts";

const asked = lookups({ id: "lookups with recall" }) as TextTask<LookupFacts, LookupFacts>;
/** The level at which the model acts as the search engine: `!a` asks for the successor of `a`. */
const recall = asked.levels + 1;

/** Lookups, and questions to a search engine that has memorised the fixed facts and makes up the rest. */
export const recalled = textTask<LookupFacts, LookupFacts>({
  ...asked,
  levels: recall,
  alphabet: `${asked.alphabet}!`,
  make(random, level) {
    if (level !== recall) return asked.make(random, level);
    const [name, other] = [random.choice(lookupNames), random.choice(lookupNames)];
    const { facts } = asked.make(random, 1).data;
    const found = fromMemory(name) ? facts[name] : other;
    return {
      prompt: `!${name}`,
      key: `!${name} ${random.integers(1e6)}`,
      answer: found,
      data: { path: [name, found], facts },
    };
  },
  episode: {
    ...asked.episode,
    players: {
      // Without a search the teacher guesses half of the time.
      expert({ level, prompt, answer }, { turns }, random) {
        if (level === recall || turns > 0) return answer;
        return random.chance(0.5) ? `f(${prompt[0]})` : random.choice(lookupNames);
      },
    },
  },
});

/** Whether a conversation has a search. */
const searched = ({ messages }: { messages: readonly { name?: string; content: string }[] }) =>
  messages.some(({ name, content }) => !name && /^f\(.\)$/.test(content));

/** Adds a format reward for a search followed by a name. */
export const formed: TextTask = textTask<LookupFacts, LookupFacts>({
  ...(recalled as TextTask<LookupFacts, LookupFacts>),
  id: "lookups with recall, paid for their form",
  episode: {
    ...recalled.episode,
    turnReward: (conversation, { name, content }) =>
      !name && lookupNames.includes(content) && searched(conversation) ? 0.2 : 0,
  },
});

const { tools: _, ...withoutTools } = formed.episode as MultiTurn<LookupFacts, LookupFacts>;

/** Lookups without the tool (SSRL, Fan et al., 2025): the model itself answers its searches. */
export const selfSearched: TextTask = textTask<LookupFacts, LookupFacts>({
  ...(formed as TextTask<LookupFacts, LookupFacts>),
  id: "lookups with recall, searched by itself",
  episode: {
    ...withoutTools,
    // Answering a search takes a turn.
    turns: 2 * (withoutTools.turns ?? 5) - 1,
    turn(_, { name, content }) {
      if (name) return { say: content, to: "model" };
      const wanted = /^f\((.)\)$/.exec(content);
      return wanted ? { say: wanted[1], to: "engine" } : { done: true };
    },
    roles: { engine: { opening: () => [{ role: "user", content: "!" }], by: "policy" } },
  },
});

/** The task: the model has memorised half of the facts; only a real search engine has the rest. */
export const selfSearching = {
  ...searching,
  task: recalled,
  levels: [1, 2, recall],
  played: [1, 2],
  model: { ...searching.model, imitation: 60_000 },
  options: { ...searching.options, groups: 4 },
  quick: { model: { imitation: 24_000 } },
};
