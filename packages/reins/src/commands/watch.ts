import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Episode, fail } from "@reins/core";
import { RunDirectory } from "@reins/core/directory";
import { PolicyRunner } from "@reins/core/policies";
import { defaultSeed, stream } from "@reins/core/random";
import type { Agent } from "../agents/agent.ts";
import { noMore, readArguments } from "../cli/arguments.ts";
import type { Command } from "../cli/command.ts";
import { findRun } from "../cli/find-run.ts";
import { number, text, toggle, whole } from "../cli/flags.ts";
import { agentFlags, openAgent } from "../cli/open-agent.ts";
import { recordedIn, replay } from "../cli/replay.ts";
import { showAnswers } from "../cli/show-answers.ts";
import { useThreads } from "../cli/threads.ts";
import { usageError } from "../cli/usage.ts";
import { type ImageOptions, imageFormats, renderEpisode } from "../pictures/picture.ts";
import { estimateLine } from "../terminal/estimate-line.ts";
import { short } from "../terminal/format.ts";
import { type Io, inkOf, print } from "../terminal/io.ts";
import { openScreen } from "../terminal/screen.ts";

const flags = {
  episodes: whole("N", "episodes to show (default 3)", 1, 1e7),
  fps: number("N", "steps per second (default 30); 0 does not wait"),
  seed: whole("N", "seed of the episodes (default 0)"),
  save: text("FILE", "write an episode as an animated image instead: .gif, .png or .svg"),
  every: whole("N", "with --save: steps between frames (default 1)", 1),
  scale: number("X", "with --save: image scale, in pixels per unit (default 1)"),
  recorded: toggle("replay the episodes recorded in evaluations instead of playing new ones"),
  at: whole("N", "with --recorded: the last episode within N steps of training", 0),
  sample: toggle("sample actions from the policy (default: greedy)"),
  ...agentFlags,
};

type WatchFlags = ReturnType<typeof readArguments<typeof flags>>["flags"];

/** `reins watch` */
export const command: Command = {
  usage: "watch [run | file] [flags]",
  about: `Runs a trained agent and renders the episodes in the terminal. The agent is that of a run, given by its directory or by its name in runs/ (default: the newest), or a saved agent file. A run in progress is shown at its latest checkpoint. A pipe gets the last frame of each episode. For a language run, the last saved samples and completions of held-out problems are shown.`,
  groups: () => ({ Flags: flags }),
  examples: [
    ["reins watch", "the newest run"],
    ["reins watch ppo-CartPole-v1-1 --fps 60 --episodes 5", "faster, and more episodes"],
    ["reins watch --save episode.gif --every 2", "write an episode as a GIF"],
    ["reins watch --recorded", "replay the recorded episodes of the newest run"],
  ],
  async run(args, io) {
    const { words, flags: given } = readArguments(args, flags, { command: "watch" });
    noMore(words, 1, "watch");
    useThreads(undefined);
    const { episodes = 3, fps = 30, seed = defaultSeed, sample = false } = given;
    if (given.recorded || given.at !== undefined) return showRecorded(findRun(words[0]), given, io);
    const { agent, env: other, path } = await openAgent(words[0], given);
    if (given.save !== undefined) {
      const { every, scale } = given;
      return write(agent, given.save, { env: other, seed, sample, every, scale, fps: given.fps }, io);
    }
    if (agent.spec.action.kind === "text" && !other) {
      await showAnswers(agent, { path, episodes, seed, sample }, io);
      return 0;
    }
    const place = await agent.place(other);
    const env = place.make(1);
    if (!env.render)
      fail(
        place.spec.id,
        "the environment has no render(). Add one that returns the lines of a text, or use reins eval to evaluate the agent.",
      );
    const player = new PolicyRunner(agent.current, env, { greedy: !sample, seed });
    await player.reset(seed);
    const title = `${agent.algorithm} on ${place.spec.id}`;
    const returns = await show(player, { title, episodes, fps, seed }, io);
    print(io.out, estimateLine(returns, place.spec));
    return 0;
  },
};

/** Shows recorded episodes, or writes the last one to a file. */
async function showRecorded(path: string, given: WatchFlags, io: Io): Promise<number> {
  for (const name of ["env", "best", "seed", "sample", "episodes"] as const)
    if (given[name] !== undefined) usageError(`--${name} does not apply to recorded episodes. Leave it out.`);
  const { at, save, every, scale, fps } = given;
  const found = recordedIn(path, at);
  const last = found.at(-1);
  if (save !== undefined && last) return write(last.load(), save, { every, scale, fps }, io);
  const { algorithm, env } = RunDirectory.open(path).config;
  await replay(found, { title: `${algorithm} on ${env}`, fps: fps ?? 30 }, io);
  return 0;
}

/** Writes an episode to a file in the format of its extension. */
async function write(from: Agent | Episode, file: string, options: ImageOptions, io: Io): Promise<number> {
  const format = imageFormats.find((known) => file.toLowerCase().endsWith(`.${known}`));
  if (!format)
    usageError(`${file}: unknown image format. Use one of ${imageFormats.map((f) => `.${f}`).join(", ")}.`);
  const bytes = await renderEpisode(from, { ...options, format });
  writeFileSync(file, bytes);
  print(io.out, `Wrote ${file}: ${Math.ceil(bytes.length / 1024)} kB.`);
  return 0;
}

/** Maximum steps of an episode in environments without a time limit. */
const stepLimit = 10_000;

/** Plays and renders episodes. Resolves to their returns. */
async function show(
  player: PolicyRunner,
  { title, episodes, fps, seed }: { title: string; episodes: number; fps: number; seed: number },
  io: Io,
): Promise<number[]> {
  const { env } = player;
  const { maxSteps = Number.POSITIVE_INFINITY } = env.spec;
  const limit = Number.isFinite(maxSteps) ? maxSteps : stepLimit;
  const ink = inkOf(io.out);
  const live = io.out.isTTY ? openScreen(io.out) : undefined;
  const returns: number[] = [];
  let [steps, total] = [0, 0];
  try {
    while (returns.length < episodes) {
      const began = performance.now();
      const picture = env.render!(0).split("\n");
      const number = `episode ${returns.length + 1} of ${episodes}`;
      live?.draw([
        `${ink.bold(title)}   ${ink.dim(`${number}   step ${steps}   return ${short(total)}`)}`,
        "",
        ...picture,
      ]);
      await player.step();
      for (const part of env.reward.data) total += part;
      steps++;
      const ended = env.terminated.data[0] || env.truncated.data[0];
      if (ended || steps >= limit) {
        const gained = ended ? env.ended.return[0] : total;
        const why = env.terminated.data[0] ? "terminated" : ended ? "truncated" : "stopped";
        if (!live)
          print(io.out, ...picture, `${number}: return ${short(gained)} in ${steps} steps (${why})`, "");
        returns.push(gained);
        [steps, total] = [0, 0];
        if (!ended) await player.reset(stream(seed, "episode", returns.length));
      }
      if (live && fps > 0) await sleep(Math.max(0, 1000 / fps - (performance.now() - began)));
    }
  } finally {
    live?.close();
  }
  return returns;
}
