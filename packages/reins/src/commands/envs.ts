import { algorithms, learnerNames, tunedFor } from "@reins/algorithms";
import { type AlgorithmMaker, type EnvSpec, fail, ReinsError, type Space } from "@reins/core";
import { checkPlace } from "@reins/core/loops";
import { ranges } from "@reins/core/settings";
import { showSpace } from "@reins/core/spaces";
import { describeEnv, envOptions, ids, make } from "@reins/envs";
import type { TextTask } from "@reins/language";
import { noMore, readArguments } from "../cli/arguments.ts";
import type { Command } from "../cli/command.ts";
import { flagLines } from "../cli/flag-lines.ts";
import { kebab, toggle } from "../cli/flags.ts";
import { envId, envNamed } from "../cli/names.ts";
import { showSetting } from "../cli/show-setting.ts";
import { isModulePath } from "../places/module-path.ts";
import { isMissing } from "../places/optional.ts";
import type { Source } from "../places/source.ts";
import { compact, wrap } from "../terminal/format.ts";
import type { Ink } from "../terminal/ink.ts";
import { type Io, inkOf, print, tableWidth, widthFor } from "../terminal/io.ts";
import { table } from "../terminal/table.ts";

const flags = { json: toggle("print JSON") };

/** `reins envs` */
export const command: Command = {
  usage: "envs [env] [flags]",
  about:
    "Lists the environments, or describes one: its spaces, its options, and the algorithms that fit it or are tuned for it.",
  groups: () => ({ Flags: flags }),
  examples: [
    ["reins envs", "list all"],
    ["reins envs CartPole-v1", "describe one"],
    ["reins envs MiniGrid", "list those whose ids begin with MiniGrid"],
    ["reins envs countdown", "a language task and its options"],
    ["reins envs ./my-env.js", "your own"],
    ["reins envs problems.jsonl", "a dataset of problems: its size and some examples"],
  ],
  async run(args, io) {
    const { words, flags: given } = readArguments(args, flags, { command: "envs" });
    noMore(words, 1, "envs");
    const name = words.length ? envId(words[0]) : undefined;
    const family = name === undefined ? ids() : familyOf(name);
    if (name === undefined || family.length) {
      const all = family.map((id) => ({ ...make(id).spec, id, description: describeEnv(id) }));
      if (given.json) print(io.out, JSON.stringify(all));
      else {
        const tasks = name === undefined ? ["", ...(await taskOverview(widthFor(io.out)))] : [];
        // Descriptions are sentences, which are wrapped in pipes too.
        print(io.out, ...overview(all, inkOf(io.out), tableWidth(io.out) ?? widthFor(io.out)), ...tasks);
      }
      return 0;
    }
    const place = await envNamed(name);
    const { spec, make: makeRows } = place;
    if (!makeRows && place.task)
      return describeTask(name, spec, place.task as TextTask, given.json ?? false, io);
    if (!makeRows) return fail(spec.id, "this is a language task without a description.");
    const about = ids().includes(name) ? describeEnv(name) : "";
    if (given.json) {
      print(io.out, JSON.stringify({ ...spec, description: about }));
      return 0;
    }
    const ink = inkOf(io.out);
    const width = widthFor(io.out);
    const row = (what: string, text: string) => `${ink.dim(what.padEnd(13))}${text}`;
    const rows = (what: string, text: string) =>
      wrap(text, width - 13).map((line, i) => row(i === 0 ? what : "", line));
    const tuned = Object.keys(algorithms).filter((a) => tunedFor(a, spec.id.replace(/^gymnasium:/, "")));
    const fits = Object.values(algorithms).filter((maker) => learnsIn(maker, place));
    const env = makeRows(1);
    env.reset({ seed: 1 });
    print(
      io.out,
      ink.bold(spec.id),
      ...(about ? wrap(about, width) : []),
      "",
      row("observation", showSpace(spec.observation)),
      row("action", showSpace(spec.action)),
      ...(spec.rewards ? [row("rewards", spec.rewards.join(", "))] : []),
      ...(spec.agents ? [row("agents", spec.agents.names.join(", "))] : []),
      row("episodes", spec.maxSteps === undefined ? "no limit" : `at most ${spec.maxSteps} steps`),
      row(
        "solved",
        spec.solvedAt === undefined ? "not defined" : `mean return ${spec.solvedAt} over 100 episodes`,
      ),
      ...rows("algorithms", fits.map(({ definition: d }) => d.name).join(", ") || "none"),
      ...rows("tuned for", tuned.join(", ") || "none yet"),
      ...optionLines(name, ink, width),
      ...(env.render ? ["", ...env.render(0).split("\n")] : []),
      "",
      `Try: reins train ${tuned[0] ?? fits[0]?.definition.name ?? "<algorithm>"} ${name}`,
    );
    return 0;
  },
};

/** Environments whose ids begin with `typed`, if it is not an id itself. */
function familyOf(typed: string): string[] {
  if (ids().includes(typed) || isModulePath(typed)) return [];
  return ids().filter((id) => id.toLowerCase().startsWith(typed.toLowerCase()));
}

/** Whether an algorithm with default settings supports an environment. */
function learnsIn(maker: AlgorithmMaker, place: Source): boolean {
  try {
    checkPlace(maker.definition, { spec: place.spec, place, options: maker().options });
    return true;
  } catch (error) {
    if (error instanceof ReinsError) return false;
    throw error;
  }
}

/** Describes a language task. */
async function describeTask(
  name: string,
  spec: EnvSpec,
  task: TextTask,
  json: boolean,
  io: Io,
): Promise<number> {
  const { taskLines } = await import("../cli/describe-task.ts");
  const { about: description, levels } = task;
  print(
    io.out,
    ...(json
      ? [JSON.stringify({ ...spec, description, levels })]
      : await taskLines(task, inkOf(io.out), widthFor(io.out), name)),
  );
  return 0;
}

/** Lists the language tasks. */
async function taskOverview(width: number): Promise<string[]> {
  try {
    const { textTasks, multiTurnTasks } = await import("@reins/language");
    return [
      ...wrap(`Language tasks, for ${learnerNames("episodes").join(", ")}:`, width),
      "",
      ...wrap(Object.keys(textTasks).join(", "), width),
      "",
      ...wrap(`Multi-turn: ${Object.keys(multiTurnTasks).join(", ")}`, width),
      "",
      "Describe one, with a problem of each level: reins envs arithmetic",
    ];
  } catch (error) {
    if (!isMissing(error, "@reins/language")) throw error;
    return ["Language tasks are in a separate package: npm install @reins/language"];
  }
}

function overview(
  all: readonly (EnvSpec & { description: string })[],
  ink: Ink,
  width: number | undefined,
): string[] {
  return table(
    ["environment", "observation", "action", "steps", "solved", "description"],
    all.map((s) => [
      ink.color(0, s.id),
      brief(s.observation),
      brief(s.action),
      s.maxSteps === undefined ? "" : compact(s.maxSteps),
      s.solvedAt === undefined ? "" : String(s.solvedAt),
      s.description,
    ]),
    { ink, right: [3, 4], width, spare: [1, 4] },
  );
}

/** The options of an environment as flags. */
function optionLines(name: string, ink: Ink, width: number): string[] {
  const options = ids().includes(name) ? envOptions(name) : undefined;
  const { rows: _, ...own } = options ?? {};
  const flags = Object.entries(own).map(([option, { about, within, default: usual }]) => {
    const range = within && within !== "any" ? ` Takes ${ranges[within].words}.` : "";
    const value = typeof usual === "boolean" ? undefined : within ? "N" : "VALUE";
    const shown = usual === undefined ? "" : ` Default: ${showSetting(usual)}.`;
    return [`env-${kebab(option)}`, { about: `${about}${range}${shown}`, value, read: String }];
  });
  return flags.length ? ["", ink.bold("Options"), ...flagLines(Object.fromEntries(flags), ink, width)] : [];
}

/** A space without its bounds. */
const brief = (space: Space) =>
  space.kind === "box" ? `Box([${space.shape.join(", ")}])` : showSpace(space);
