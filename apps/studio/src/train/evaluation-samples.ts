import type { Agent } from "reins";
import { sampleProblem } from "reins/language";
import { sorting } from "reins/language/tasks";
import type { Answer } from "./messages.ts";
import { level } from "./sorter.ts";

/** Milliseconds between two evaluations, answers shown, and problems evaluated. */
const every = 1200;
const shown = 8;
const counted = 50;

/** Evaluates a language model on held-out problems during training. */
export class EvaluationSamples {
  /** Accuracy on held-out problems. */
  right = Number.NaN;
  private readonly agent: Agent;
  private readonly problems = Array.from({ length: shown }, (_, i) =>
    sampleProblem(sorting, level, "test", i),
  );
  private at = Number.NEGATIVE_INFINITY;
  private steps = -1;

  constructor(agent: Agent) {
    this.agent = agent;
  }

  /** The model's answers, if the next evaluation is due. */
  async evaluate(): Promise<readonly Answer[] | undefined> {
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
