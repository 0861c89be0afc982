#!/usr/bin/env node
import { existsSync } from "node:fs";
import { defaultSeed } from "@reins/core/random";
import { currentBackend } from "@reins/tensor";
import { readArguments } from "./cli/arguments.ts";
import { namedRun } from "./cli/find-run.ts";
import { flagLines } from "./cli/flag-lines.ts";
import { toggle, whole } from "./cli/flags.ts";
import { jsonOf } from "./cli/report.ts";
import { useThreads } from "./cli/threads.ts";
import { command as studio } from "./commands/studio.ts";
import { compact, estimateText, grouped, time } from "./terminal/format.ts";
import type { Ink } from "./terminal/ink.ts";
import { inkOf, print } from "./terminal/io.ts";
import { showRoom, showView } from "./terminal/show.ts";
import { lineView } from "./terminal/training-view.ts";
import { train } from "./train.ts";

const flags = {
  seed: whole("N", "random seed; the same seed gives the same run (default 0)"),
  studio: toggle("save the run in runs/ and open it in the studio"),
  json: toggle("print the result as one JSON object on the last line"),
  help: toggle("this text"),
};

/** Implements `npm start`: trains PPO on CartPole and shows it. */
async function start(args: readonly string[]): Promise<void> {
  const out = process.stdout;
  const { flags: given } = readArguments(args, flags, { command: "train" });
  if (given.help)
    return print(
      out,
      "npm start -- [flags]",
      "",
      "Trains an agent to balance a pole and shows its progress.",
      "",
      ...flagLines(flags, inkOf(out)),
    );
  const { seed = defaultSeed } = given;
  useThreads(undefined);
  const env = "CartPole-v1";
  const title = `PPO learns to balance a pole (${env}, seed ${seed}, ${currentBackend().name} back end)`;
  const show = out.isTTY && showRoom(out) ? showView(out, title) : undefined;
  const view = show ?? lineView(out, { title, untilSolved: true });
  const trained = await train({
    algorithm: "ppo",
    env,
    seed,
    solved: true,
    ...(given.studio ? { directory: freeFolder() } : {}),
    progressEvery: view.every,
    onProgress: (p) => view.update(p),
  });
  await show?.playTrained(trained);
  view.close();
  const ink = inkOf(out);
  print(
    out,
    "",
    `${ink.bold(trained.ended === "solved" ? "Solved" : "Not solved")} in ${time(trained.seconds)}: ${grouped(trained.steps)} steps at ${compact(trained.stepsPerSecond)} a second.`,
    `Evaluation over ${trained.return.episodes} episodes: the pole stands for ${ink.bold(estimateText(trained.return))} of 500 steps.`,
    ...(given.studio ? [] : ["", ...next(ink)]),
  );
  if (given.json) print(out, jsonOf(trained));
  if (given.studio) await studio.run(["--open"], { out, err: process.stderr });
}

/** The next free name: `runs/start-1`, `-2`, … */
function freeFolder(): string {
  let n = 1;
  while (existsSync(namedRun(`start-${n}`))) n++;
  return namedRun(`start-${n}`);
}

/** Suggested next commands. */
const next = (ink: Ink): readonly string[] => [
  "Try next:",
  ...[
    ["npm start -- --studio", "save this run and open the studio"],
    ["npx reins train ppo CartPole-v1", "train from the command line, saved in runs/"],
    ["npx reins studio --open", "watch, control and compare your runs"],
    ["npx reins watch", "watch the agent play"],
    ["npx reins envs", "list environments"],
    ["npx reins --help", "everything else"],
  ].map(([c, what]) => `  ${c.padEnd(36)}${ink.dim(what)}`),
];

// A reader such as `head` may close the pipe early.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

start(process.argv.slice(2)).catch((error: unknown) => {
  console.error(`reins: ${error instanceof Error ? error.message : error}`);
  process.exitCode = error instanceof Error && error.name === "UsageError" ? 2 : 1;
});
