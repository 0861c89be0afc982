import { type MultiTurn, type Role, type TextTask, textTask } from "@reins/language";

/** All numbers and results are modulo this. */
const modulus = 4;

/** Plans: which operation comes first. */
const letters = [..."abc"];

/** How often the teacher's plan is random, and how often one of its steps is a guess. */
const careless = { plan: 0.5, step: 0.1 };

/** A sum in which one product has to be computed first. */
export interface Expression {
  readonly value: number;
  /** The teacher's plan. */
  readonly shown: string;
}

interface Solving extends Expression {
  plan?: string;
  /** Remaining terms, from the left. */
  left: string;
  /** Number of correct steps. */
  right: number;
  steps: number;
}

/** Settings of {@link orders}. */
export interface OrdersOptions {
  /** A direct answer; a plan and steps by the same model; or a plan by the model and steps by a solver. */
  readonly way: "at once" | "planned" | "solver";
  /** What acts as the solver (default: the model). */
  readonly by?: Role["by"];
  /** What solvers are compared with (default: those with the same plan). */
  readonly compared?: Role["compared"];
}

/** The terms in the order of a plan, to be computed from the left; empty for an invalid plan. */
function ordered(terms: string, plan: string): string {
  const at = 2 * letters.indexOf(plan);
  if (plan === "" || at < 0 || at + 3 > terms.length) return "";
  const before = at === 0 ? "" : `${terms[at - 1]}${terms.slice(0, at - 1)}`;
  return `${terms.slice(at, at + 3)}${before}${terms.slice(at + 3)}`;
}

/** The result of the first operation. */
const resultOf = (terms: string) => {
  const [one, other] = [Number(terms[0]), Number(terms[2])];
  return (terms[1] === "*" ? one * other : one + other) % modulus;
};

/** The result of all operations, from the left. */
const valueOf = (terms: string): number =>
  terms.length < 3 ? Number(terms) : valueOf(`${resultOf(terms)}${terms.slice(3)}`);

/** The conversation of a problem: the plan first, then one step after another. */
const talking = (solver: Omit<Role, "opening"> | undefined): MultiTurn<Expression, Solving> => ({
  turns: 4,
  begin: ({ data, prompt }) => ({ ...data, left: prompt.slice(0, -1), right: 0, steps: 0 }),
  turn(state, { content }) {
    if (state.plan === undefined) {
      state.plan = content;
      state.left = ordered(state.left, content);
    } else {
      state.steps++;
      if (content === `${resultOf(state.left)}`) state.right++;
      state.left = isNumber(content) ? `${content}${state.left.slice(3)}` : "";
    }
    if (state.left.length < 3) return { done: true };
    return { say: `${state.left.slice(0, 3)}=`, to: solver ? "solver" : "model" };
  },
  ...(solver && {
    roles: {
      solver: { opening: ({ prompt }) => [{ role: "user", content: prompt }], ...(solver as object) },
    },
  }),
  players: {
    expert: ({ data: { shown } }, { turns, state }, random) =>
      turns ? `${random.chance(careless.step) ? random.integers(modulus) : resultOf(state.left)}` : shown,
  },
});

const isNumber = (text: string) => /^[0-3]$/.test(text);

/**
 * Sums with one product, modulo 4: `2+3*4=`. A plan gives the first operation (`b`, the second). Then each operation is asked in that order, with
 * the previous result (`3*4=`, `2+2=`), and answered; the last result is the answer. Level 1 has three numbers, level 2 four.
 */
export function orders({ way, by = "policy", compared = "seen" }: OrdersOptions): TextTask {
  return textTask<Expression, Solving>({
    id: "orders",
    about: "Compute a sum with one product, modulo 4.",
    levels: 2,
    alphabet: `0123+*=${letters.join("")}`,
    longest: { prompt: 8, answer: 1, conversation: 8 + 2 + 3 * 6 },
    make(random, level) {
      const signs = level + 1;
      const product = random.integers(signs);
      const numbers = Array.from({ length: signs + 1 }, () => random.integers(modulus));
      const terms = numbers.map((n, i) => (i === 0 ? n : `${i - 1 === product ? "*" : "+"}${n}`)).join("");
      const plan = letters[random.chance(careless.plan) ? random.integers(signs) : product];
      const slips = random.random() > (1 - careless.step) ** signs;
      const answer = `${slips ? random.integers(modulus) : valueOf(ordered(terms, plan))}`;
      const value = valueOf(ordered(terms, letters[product]));
      return { prompt: `${terms}=`, answer, data: { value, shown: plan } };
    },
    verify({ data: { value }, prompt }, text, conversation) {
      const { plan = "", left = text, steps = 0, right = 0 } = conversation?.state ?? {};
      return {
        score: left === `${value}` ? 1 : 0,
        terms: {
          planned: Number(2 * letters.indexOf(plan) + 1 === prompt.indexOf("*")),
          followed: right / Math.max(1, steps),
        },
      };
    },
    ...(way === "at once" ? {} : { episode: talking(way === "solver" ? { by, compared } : undefined) }),
  });
}

/** A tiny model for {@link orders}, and its training. Longer problems are imitated and evaluated, but not trained on with rewards. */
export const ordersTask = {
  levels: [1, 2],
  played: [1],
  model: { layers: 1, width: 32, imitation: 40_000, batch: 16, rows: 64 },
  score: { levels: [1, 2], problems: 150, looks: 1 },
  options: { groups: 8, groupSize: 8, epochs: 1, clipNorm: 1 },
  quick: { model: { imitation: 6000 } },
} as const;
