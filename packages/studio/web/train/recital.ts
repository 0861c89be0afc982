import type { Agent } from "reins";
import { draw } from "reins/language";
import { sorting } from "reins/language/tasks";
import type { Answer } from "./messages.ts";
import { level } from "./words.ts";

/** Milliseconds from one hearing to the next, and problems of each. */
const every = 1200;
const shown = 8;
const counted = 50;

/** A language model that is asked now and then, while it learns, what training never asks it. */
export class Recital {
  /** Share of held-out problems that were answered rightly. */
  right = Number.NaN;
  private readonly agent: Agent;
  private readonly problems = Array.from({ length: shown }, (_, i) => draw(sorting, level, "test", i));
  private at = Number.NEGATIVE_INFINITY;
  private steps = -1;

  constructor(agent: Agent) {
    this.agent = agent;
  }

  /** Its answers, if it is time to ask again. */
  async hear(): Promise<readonly Answer[] | undefined> {
    const { agent } = this;
    const { steps } = agent;
    if (steps === this.steps || performance.now() - this.at < every) return undefined;
    this.steps = steps;
    this.right = (await agent.evaluate(counted)).mean;
    const answers: Answer[] = [];
    for (const problem of this.problems) {
      const { prompt, answer: right } = problem;
      const answer = String(agent.act(prompt));
      const { score } = await sorting.verify(problem, answer);
      answers.push({ prompt, answer, right, score });
    }
    this.at = performance.now();
    return answers;
  }
}
