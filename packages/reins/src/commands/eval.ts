import type { AnswerMeasures, EvaluatedAnswer } from "@reins/core";
import { defaultSeed } from "@reins/core/random";
import { noMore, readArguments } from "../cli/arguments.ts";
import type { Command } from "../cli/command.ts";
import { text, toggle, whole } from "../cli/flags.ts";
import { agentFlags, openAgent } from "../cli/open-agent.ts";
import { useThreads } from "../cli/threads.ts";
import {
  counted,
  distinctLine,
  estimateText,
  rateText,
  short,
  time,
  unfinishedLine,
} from "../terminal/format.ts";
import { histogram } from "../terminal/histogram.ts";
import { pairLines } from "../terminal/imitation.ts";
import type { Ink } from "../terminal/ink.ts";
import { inkOf, print } from "../terminal/io.ts";
import { sampleLine } from "../terminal/samples.ts";

const flags = {
  episodes: whole("N", "number of episodes (default 100)", 1, 1e7),
  seed: whole(
    "N",
    "seed of the episodes (default 0; with --best the run's seed plus 1, since the run's episodes chose the agent)",
  ),
  sample: toggle("sample actions from the policy (default: greedy)"),
  samples: whole("N", "on language tasks, with --sample: completions per problem (default 1)", 1, 1024),
  ...agentFlags,
  threads: whole("N", "threads for compiled code (default 1)", 1),
  device: text("DEVICE", "cpu, cuda or cuda:1 (default: an NVIDIA GPU for large functions, else the CPU)"),
  json: toggle("print one JSON object"),
};

/** `reins eval` */
export const command: Command = {
  usage: "eval [run | file] [flags]",
  about: `Evaluates a trained agent on exactly N new episodes; with several agents, on N games, of which each agent's part counts as an episode. The agent is that of a run, given by its directory or by its name in runs/ (default: the newest), or a saved agent file.`,
  groups: () => ({ Flags: flags }),
  examples: [
    ["reins eval", "the newest run, 100 episodes"],
    ["reins eval ppo-CartPole-v1-1 --episodes 1000", "a more precise estimate"],
    [
      "reins eval ppo-CartPole-v1-1 --sample --seed 7 --json",
      "sampled actions, as in training; for a script",
    ],
  ],
  async run(args, io) {
    const { words, flags: given } = readArguments(args, flags, { command: "eval" });
    noMore(words, 1, "eval");
    useThreads(given.threads, given.device);
    const { agent, env, path } = await openAgent(words[0], given);
    const { episodes = 100, sample = false, samples } = given;
    // A best agent has its own default.
    const seed = given.seed ?? (given.best ? undefined : defaultSeed);
    const began = performance.now();
    const found = await agent.evaluate(episodes, {
      ...(seed === undefined ? {} : { seed }),
      greedy: !sample,
      env,
      ...(samples === undefined ? {} : { samples }),
    });
    const seconds = (performance.now() - began) / 1000;
    const { mean, std, count, interval, returns, lengths, success, successInterval, measures } = found;
    const steps = lengths.reduce((a, b) => a + b, 0);
    if (given.json) {
      const result = {
        return: { mean, std, interval },
        success,
        successInterval,
        episodes: count,
        steps,
        seconds,
        run: path,
        measures,
        ...(found.pairs ? { pairs: found.pairs } : {}),
      };
      print(io.out, JSON.stringify(result));
      return 0;
    }
    const ink = inkOf(io.out);
    const unit = found.answers || found.likelihood || found.pairs ? "tokens" : "steps";
    const what = found.pairs
      ? "held-out pair"
      : found.likelihood
        ? "held-out example"
        : found.answers
          ? "held-out problem"
          : "episode";
    const goal = agent.spec.solvedAt;
    const sorted = [...returns].sort((a, b) => a - b);
    print(
      io.out,
      `${path}   ${agent.algorithm} on ${env?.spec.id ?? agent.spec.id}, after ${short(agent.steps)} ${unit}`,
      "",
      `return   ${ink.bold(estimateText(found))}   over ${counted(count, what)}, ${found.pairs ? "accuracy" : found.likelihood ? "log-probability per token" : sample ? "sampled" : "greedy"}`,
      `         lowest ${short(sorted[0])}, median ${short((sorted[(count - 1) >> 1] + sorted[count >> 1]) / 2)}, highest ${short(sorted[count - 1])}`,
      `length   ${short(steps / count)} ${unit} on average, ${time(seconds)} in total`,
      ...(success === undefined || !successInterval
        ? []
        : [`success  ${rateText(success, successInterval)}`]),
      ...distinctLine(found, count),
      ...unfinishedLine(found),
      ...(goal === undefined ? [] : [`solved   ${mean >= goal ? "yes" : "no"} (${goal})`]),
      ...(found.pairs ? pairLines(found.pairs) : []),
      ...(measures ? measureLines(measures, isGraded(found)) : []),
      ...(sorted[0] < sorted[count - 1] ? ["", ...histogram(returns, ink)] : []),
      ...(found.answers ? ["", ...answerLines(found.answers, ink)] : []),
    );
    return 0;
  },
};

/** Whether some score is neither 0 nor 1: what counts as correct is then said. */
const isGraded = ({ answers = [] }: { readonly answers?: readonly EvaluatedAnswer[] }): boolean =>
  answers.some(({ score }) => score !== 0 && score !== 1);

/** Lines for pass@k, majority vote, entropy and calibration. */
function measureLines(
  { samples, pass, majority, calibration, entropy, counts = {} }: AnswerMeasures,
  graded: boolean,
): string[] {
  const several = [
    `pass@1 ${short(pass[0])}`,
    ...(samples > 1
      ? [`pass@${samples} ${short(pass[samples - 1])}`, `maj@${samples} ${short(majority)}`]
      : []),
  ];
  return [
    `correct  ${several.join(", ")}${graded ? " (correct: a score of at least 1)" : ""}`,
    `entropy  ${short(entropy)} nats per token, calibration error ${short(calibration)}`,
    ...(Object.keys(counts).length
      ? [
          `mean     ${Object.entries(counts)
            .map(([name, value]) => `${name} ${short(value)}`)
            .join(", ")}`,
        ]
      : []),
  ];
}

/** Examples: the first correct and the first incorrect completions. */
function answerLines(answers: readonly EvaluatedAnswer[], ink: Ink): string[] {
  const isRight = ({ score }: EvaluatedAnswer) => score >= 1;
  const some = [...answers.filter(isRight).slice(0, 3), ...answers.filter((a) => !isRight(a)).slice(0, 3)];
  return some.map((answer) => sampleLine(answer, 100, ink));
}
