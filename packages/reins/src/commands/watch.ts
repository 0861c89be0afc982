import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { defaultSeed, type Episode, fail, Player, stream } from "@reins/core";
import { RunDirectory } from "@reins/core/directory";
import type { Agent } from "../agents/agent.ts";
import { noMore, readArguments } from "../cli/arguments.ts";
import type { Command } from "../cli/command.ts";
import { findRun } from "../cli/find-run.ts";
import { number, text, toggle, whole } from "../cli/flags.ts";
import { agentFlags, openAgent } from "../cli/open-agent.ts";
import { recordedIn, replay } from "../cli/replay.ts";
import { showAnswers } from "../cli/show-answers.ts";
import { useThreads } from "../cli/threads.ts";
import { misuse } from "../cli/usage.ts";
import { type PictureOptions, picture, pictureFormats } from "../pictures/picture.ts";
import { estimateLine } from "../terminal/estimate-line.ts";
import { type Io, inkOf, print } from "../terminal/io.ts";
import { openScreen } from "../terminal/screen.ts";
import { short } from "../terminal/words.ts";

const flags = {
  episodes: whole("N", "episodes to show (default 3)", 1, 1e7),
  fps: number("N", "steps a second (default 30); 0 does not wait"),
  seed: whole("N", "seed of the episodes (default 0)"),
  save: text("FILE", "write an episode as a picture that moves instead: .gif, .png (animated) or .svg"),
  every: whole("N", "of a file: steps from one frame to the next (default 1)", 1),
  scale: number("X", "of a file: pixels for each unit of the drawing (default 1)"),
  recorded: toggle("show the episodes that were recorded when the agent was measured, instead of playing"),
  at: whole("N", "of recorded episodes: the last within N steps of training", 0),
  sample: toggle("draw actions from the policy instead of taking the best ones"),
  ...agentFlags,
};

/** The flags that were given. */
type Past = ReturnType<typeof readArguments<typeof flags>>["flags"];

/** `reins watch` */
export const command: Command = {
  usage: "watch [run | file] [flags]",
  about: `Lets a trained agent play and draws what happens in the terminal. The run is named by its directory or by its name in runs/; without one it is the newest. The file of an agent will do as well. A run in progress is shown as it was kept last. Into a pipe it prints the last picture of each episode. Of a run in words it shows the answers that were kept last, and answers to problems that training never saw.`,
  groups: () => ({ Flags: flags }),
  examples: [
    ["reins watch", "the newest run"],
    ["reins watch ppo-CartPole-v1-1 --fps 60 --episodes 5", "faster, for longer"],
    ["reins watch --save episode.gif --every 2", "an episode of the newest run, as a file"],
    ["reins watch --recorded", "how the newest run has played on the way, without playing"],
  ],
  async run(args, io) {
    const { words, flags: given } = readArguments(args, flags, { command: "watch" });
    noMore(words, 1, "watch");
    useThreads(undefined);
    const { episodes = 3, fps = 30, seed = defaultSeed, sample = false } = given;
    if (given.recorded || given.at !== undefined) return past(findRun(words[0]), given, io);
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
      fail(place.spec.id, "it cannot be drawn: it has no render(). reins eval measures the agent.");
    const player = new Player(agent.current, env, { greedy: !sample, seed });
    await player.reset(seed);
    const title = `${agent.algorithm} on ${place.spec.id}`;
    const returns = await show(player, { title, episodes, fps, seed }, io);
    print(io.out, estimateLine(returns));
    return 0;
  },
};

/** Shows what was recorded, or writes the last of it to a file. */
async function past(path: string, given: Past, io: Io): Promise<number> {
  for (const name of ["env", "best", "seed", "sample", "episodes"] as const)
    if (given[name] !== undefined)
      misuse(`--${name} is for episodes that are played, and recorded ones were asked for. Leave it out.`);
  const { at, save, every, scale, fps } = given;
  const found = recordedIn(path, at);
  const last = found.at(-1);
  if (save !== undefined && last) return write(last.load(), save, { every, scale, fps }, io);
  const { algorithm, env } = RunDirectory.open(path).config;
  await replay(found, { title: `${algorithm} on ${env}`, fps: fps ?? 30 }, io);
  return 0;
}

/** Writes an episode to a file, whose name says in which form. */
async function write(from: Agent | Episode, file: string, options: PictureOptions, io: Io): Promise<number> {
  const format = pictureFormats.find((known) => file.toLowerCase().endsWith(`.${known}`));
  if (!format)
    misuse(`${file}: pictures are ${pictureFormats.map((f) => `.${f}`).join(", ")}. Name the file so.`);
  const bytes = await picture(from, { ...options, format });
  writeFileSync(file, bytes);
  print(io.out, `Drawn into ${file}: ${Math.ceil(bytes.length / 1024)} kB.`);
  return 0;
}

/** Steps after which an episode is given up, where the environment itself sets no limit. */
const patience = 10_000;

/** Plays some episodes before everybody's eyes. Returns their returns. */
async function show(
  player: Player,
  { title, episodes, fps, seed }: { title: string; episodes: number; fps: number; seed: number },
  io: Io,
): Promise<number[]> {
  const { env } = player;
  const { maxSteps: limit = patience } = env.spec;
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
        const why = env.terminated.data[0] ? "ended" : ended ? "time is up" : "given up";
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
