import { choiceOf } from "./backend.ts";
import { frame, pictureRows, type Scene } from "./frame.ts";
import { inkFor } from "./ink.ts";
import { createLearner, extent, type Learner, resolution } from "./learner.ts";
import { help, readOptions, type StartOptions } from "./options.ts";
import type { Mark } from "./picture.ts";
import { openScreen } from "./screen.ts";
import { type Outcome, train } from "./train.ts";
import { grouped, progressLine, summary } from "./words.ts";

/** Ten pictures a second, for eighteen seconds. */
const live = { reports: 180, interval: 0.1 };
const lines = 20;
/** Points that may be drawn over the picture. */
const shown = 200;

function marksOf({ unseen }: Learner): Mark[] {
  const { points, labels } = unseen;
  return Array.from({ length: shown }, (_, i) => ({
    x: points.data[2 * i] / extent,
    y: points.data[2 * i + 1] / extent,
    label: labels.data[i],
  }));
}

/** Draws what the network has learned, in place. */
async function watch(learner: Learner, scene: Scene, { steps, color, fast }: StartOptions): Promise<Outcome> {
  const out = process.stdout;
  const ink = inkFor(color === false || process.env.NO_COLOR ? 1 : out.getColorDepth());
  const screen = openScreen(out);
  try {
    return await train(learner, {
      steps,
      reports: live.reports,
      interval: fast ? 0 : live.interval,
      report: (progress) =>
        screen.draw(frame(scene, progress, { values: learner.surface(), size: resolution }, out, ink)),
    });
  } finally {
    screen.close();
  }
}

/** Prints a line now and then: for files, pipes and small windows. */
function log(
  learner: Learner,
  { choice, widths, weights }: Scene,
  { steps }: StartOptions,
): Promise<Outcome> {
  console.log(
    `Reins: a network ${widths.join("-")} with ${grouped(weights)} weights learns two spirals on the ${choice.name} back end (${choice.why})`,
  );
  return train(learner, { steps, reports: lines, interval: 0, report: (p) => console.log(progressLine(p)) });
}

async function main(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  if (options.help) return console.log(help);
  const learner = createLearner(options);
  const scene: Scene = {
    choice: choiceOf(options.backend),
    widths: [2, ...options.hidden, 1],
    weights: learner.weights,
    marks: marksOf(learner),
  };
  const roomy = process.stdout.isTTY && pictureRows(process.stdout.columns, process.stdout.rows) >= 10;
  const outcome = await (roomy ? watch : log)(learner, scene, options);
  console.log(`\n${summary(outcome, learner.batch, learner.unseen.labels.size, scene.choice.name)}`);
}

// A reader such as `head` may close the pipe before the end.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(`reins: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
});
