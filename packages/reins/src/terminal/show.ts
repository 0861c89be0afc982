import { setTimeout as sleep } from "node:timers/promises";
import type { Run } from "@reins/core";
import { placeOf } from "@reins/core/evaluations";
import { PolicyRunner } from "@reins/core/policies";
import type { Progress } from "../training/progress.ts";
import { History } from "./history.ts";
import { type Ink, pad } from "./ink.ts";
import { inkOf, type Output } from "./io.ts";
import { openScreen } from "./screen.ts";
import { type TrainingView, trainingFrame } from "./training-view.ts";

/** Maximum size of a rendering. */
const rendering = { columns: 62, lines: 13 };

/** Whether the view fits into a terminal. */
export const showRoom = ({ columns = 0, rows = 0 }: { columns?: number; rows?: number }): boolean =>
  (columns >= rendering.columns + 48 && rows >= rendering.lines + 3) ||
  (columns >= rendering.columns + 2 && rows >= rendering.lines + 9);

/** A view of training that also renders the current agent. */
export interface ShowView extends TrainingView {
  /** Renders the trained agent for a few seconds. */
  playTrained(trained: { readonly run: Run }): Promise<void>;
}

/** Draws the learning curve and, beside or below it, the agent in a separate environment. */
export function showView(out: Output, title: string, finalSeconds = 3): ShowView {
  const screen = openScreen(out);
  const ink = inkOf(out);
  // The first frame waits for compilation, which takes a few seconds.
  screen.draw([ink.bold(title), ink.dim("compiling …")]);
  const history = new History();
  let actor: PolicyRunner | undefined;
  let last: Progress | undefined;
  const play = (run: Run, steps: number) => {
    if (!actor && run.process.acting) {
      actor = new PolicyRunner(run.process.acting, placeOf(run).make(1), { greedy: false, seed: 7 });
      actor.reset(7);
    }
    for (let i = 0; i < steps; i++) actor?.step();
  };
  const draw = (p: Progress) => {
    const picture = actor?.env.render?.(0).split("\n") ?? [];
    screen.draw(
      compose(title, p, history, picture, { columns: out.columns ?? 80, rows: out.rows ?? 24 }, ink),
    );
  };
  return {
    every: 50,
    update(p) {
      last = p;
      history.add(p.steps, p.return);
      // CartPole runs at 50 steps per second.
      play(p.run, 2);
      draw(p);
    },
    async playTrained({ run }) {
      if (!last) return;
      const final = {
        ...last,
        steps: run.steps,
        return: run.metrics["return/mean"],
        episodes: run.metrics.episodes,
      };
      history.add(final.steps, final.return);
      actor?.reset(8);
      for (let frame = 0; frame < finalSeconds * 25; frame++) {
        play(run, 2);
        draw(final);
        await sleep(40);
      }
    },
    close: () => screen.close(),
  };
}

function compose(
  title: string,
  p: Progress,
  history: History,
  picture: readonly string[],
  { columns, rows }: { columns: number; rows: number },
  ink: Ink,
): string[] {
  const { solvedAt: goal } = p.run.options.env.spec;
  const subject = { title, goal, untilSolved: true };
  if (columns < rendering.columns + 48) {
    const size = { columns, height: Math.min(14, rows - rendering.lines - 3) };
    const curve = trainingFrame(subject, p, [history.series("return")], size, ink);
    return [...curve, ...fill(picture)];
  }
  const [heading, ...curve] = trainingFrame(
    subject,
    p,
    [history.series("return")],
    { columns: columns - rendering.columns - 2, height: rendering.lines + 1 },
    ink,
  );
  const status = curve.pop() ?? "";
  const height = Math.max(curve.length, rendering.lines);
  const beside = Array.from(
    { length: height },
    (_, i) => `${pad(fill(picture)[i] ?? "", rendering.columns)}  ${curve[i] ?? ""}`,
  );
  return [heading, "", ...beside, "", status];
}

/** A rendering of fixed height, so that nothing below jumps. */
const fill = (picture: readonly string[]) =>
  Array.from({ length: rendering.lines }, (_, i) => picture[i] ?? "");
