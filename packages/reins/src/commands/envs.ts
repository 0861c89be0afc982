import { algorithms, learners, tunedFor } from "@reins/algorithms";
import { type EnvSpec, type Space, showSpace } from "@reins/core";
import { describeEnv, ids, make } from "@reins/envs";
import { noMore, readArguments } from "../cli/arguments.ts";
import type { Command } from "../cli/command.ts";
import { toggle } from "../cli/flags.ts";
import { envNamed } from "../cli/names.ts";
import { type Io, inkOf, print } from "../terminal/io.ts";
import { table } from "../terminal/table.ts";
import { compact, wrap } from "../terminal/words.ts";

const flags = { json: toggle("print JSON") };

/** `reins envs` */
export const command: Command = {
  usage: "envs [env] [flags]",
  about:
    "Lists the environments, or describes one: what it gives, what it takes, and which algorithms have settings for it.",
  groups: () => ({ Flags: flags }),
  examples: [
    ["reins envs", "all of them"],
    ["reins envs CartPole-v1", "one"],
    ["reins envs countdown", "a task in words, with its options"],
    ["reins envs ./my-env.js", "one of your own"],
  ],
  async run(args, io) {
    const { words, flags: given } = readArguments(args, flags, { command: "envs" });
    noMore(words, 1, "envs");
    const [name] = words;
    if (name === undefined) {
      const all = ids().map((id) => ({ ...make(id).spec, id, description: describeEnv(id) }));
      if (given.json) print(io.out, JSON.stringify(all));
      else {
        const { families } = await import("@reins/language");
        const words = wrap(Object.keys(families).join(", "), 100);
        print(
          io.out,
          ...overview(all, inkOf(io.out)),
          "",
          ...wrap(`Tasks in words, for ${learners("episodes").join(", ")}:`, 100),
          "",
          ...words,
          "",
          "One of them, with problems of each level: reins envs arithmetic",
        );
      }
      return 0;
    }
    const { spec, make: makeRows } = await envNamed(name);
    if (!makeRows) return task(name, spec, given.json ?? false, io);
    const about = ids().includes(name) ? describeEnv(name) : "";
    if (given.json) {
      print(io.out, JSON.stringify({ ...spec, description: about }));
      return 0;
    }
    const ink = inkOf(io.out);
    const row = (what: string, text: string) => `${ink.dim(what.padEnd(13))}${text}`;
    const tuned = Object.keys(algorithms).filter((a) => tunedFor(a, spec.id));
    const fits = Object.values(algorithms).filter(
      ({ definition: { learnsFrom, actions } }) =>
        learnsFrom !== "episodes" && (!actions || actions.includes(spec.action.kind)),
    );
    const env = makeRows(1);
    env.reset({ seed: 1 });
    print(
      io.out,
      ink.bold(spec.id),
      ...(about ? wrap(about, 100) : []),
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
      row("algorithms", fits.map(({ definition: d }) => d.name).join(", ") || "none"),
      row("tuned for", tuned.join(", ") || "none yet"),
      ...(env.render ? ["", ...env.render(0).split("\n")] : []),
      "",
      `Try: reins train ${tuned[0] ?? fits[0]?.definition.name ?? "<algorithm>"} ${name}`,
    );
    return 0;
  },
};

/** Describes a task in words. */
async function task(name: string, spec: EnvSpec, json: boolean, io: Io): Promise<number> {
  const { families } = await import("@reins/language");
  const { taskLines } = await import("../cli/describe-task.ts");
  const { about: description, levels } = families[name];
  print(
    io.out,
    ...(json ? [JSON.stringify({ ...spec, description, levels })] : taskLines(families[name], inkOf(io.out))),
  );
  return 0;
}

function overview(
  all: readonly (EnvSpec & { description: string })[],
  ink: ReturnType<typeof inkOf>,
): string[] {
  return table(
    ["environment", "observation", "action", "steps", "solved", "what is to be done"],
    all.map((s) => [
      ink.color(0, s.id),
      brief(s.observation),
      brief(s.action),
      s.maxSteps === undefined ? "" : compact(s.maxSteps),
      s.solvedAt === undefined ? "" : String(s.solvedAt),
      s.description,
    ]),
    { ink, right: [3, 4] },
  );
}

/** A space without its bounds. */
const brief = (space: Space) =>
  space.kind === "box" ? `Box([${space.shape.join(", ")}])` : showSpace(space);
