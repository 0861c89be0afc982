import { readFileSync } from "node:fs";
import { join } from "node:path";
import { algorithms, tuned } from "@reins/algorithms";
import type { Demo, DemoSetting } from "../.vitepress/theme/demo.ts";
import { families } from "./algorithm-families.ts";
import { equations } from "./equations.ts";
import { root } from "./repository.ts";

/** Environment and length of the live run, by family. Families that are absent have no live run. */
const tasks: Readonly<Record<string, { env: string; steps: number; goal: string; webgpu?: boolean }>> = {
  "Policy gradients": {
    env: "CartPole-v1",
    steps: 100_000,
    goal: "The maximum return is 500.",
    webgpu: true,
  },
  "Value-based": { env: "CartPole-v1", steps: 60_000, goal: "The maximum return is 500." },
  "Continuous control": {
    env: "Pendulum-v1",
    steps: 20_000,
    goal: "Above −200 the pendulum stays upright; a random policy gets about −1200.",
  },
  Evolution: { env: "CartPole-v1", steps: 300_000, goal: "The maximum return is 500." },
  "Tabular and planning": {
    env: "FrozenLake-v1",
    steps: 100_000,
    goal: "0.74 is the best success rate on the slippery lake.",
  },
};

/** Algorithms that do not interact with an environment, and so have no learning curve. */
const withoutCurve = ["value-iteration"];

/** Settings that get a slider, the most instructive first. */
const wanted = [
  "learningRate",
  "gamma",
  "clip",
  "entropyWeight",
  "lambda",
  "tau",
  "sigma",
  "elites",
  "nStep",
  "batch",
];
const sliders = 4;

/** Text that the site adds to an algorithm's page, before its generated tables. */
export function algorithmExtras(name: string): string {
  const demo = demoOf(name);
  const file = sourceOf(name);
  return [
    ...(equations[name] ? ["```text", equations[name], "```", ""] : []),
    ...(file ? [`Source: [${file}](../../${file})`, ""] : []),
    ...(demo ? ["## Run in this page", "", `<TrainInPage :demo='${attribute(demo)}' />`, ""] : []),
  ].join("\n");
}

const attribute = (value: unknown) =>
  JSON.stringify(value).replaceAll("&", "&amp;").replaceAll("'", "&#39;").replaceAll("<", "&lt;");

/** The live run of an algorithm; undefined where none is small enough for a page. */
function demoOf(name: string): Demo | undefined {
  const family = families.find(({ names }) => names.includes(name));
  const task = family && tasks[family.title];
  if (!task || withoutCurve.includes(name) || !Object.hasOwn(algorithms, name)) return undefined;
  const found = tuned[`${name}/${task.env}`];
  const { options } = algorithms[name].definition;
  const settings = wanted.flatMap((key): DemoSetting[] => {
    const option = options[key];
    const value = startOf(found?.options[key] ?? option?.default);
    return option && typeof value === "number" && value > 0
      ? [{ name: key, value, about: option.about }]
      : [];
  });
  const steps = Math.min(task.steps, found?.steps ?? task.steps);
  return { algorithm: name, ...task, steps, settings: settings.slice(0, sliders) };
}

/** A number, or the first number of a schedule. */
const startOf = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "from" in value ? value.from : value;

/** The source file of an algorithm, read from the imports of the registry. */
function sourceOf(name: string): string | undefined {
  const folder = "packages/algorithms/src";
  const text = readFileSync(join(root, folder, "registry.ts"), "utf8");
  const entry = new RegExp(`^  "?${name.replaceAll("+", "\\+")}"?(?:: (\\w+))?,$`, "m").exec(text);
  const imported =
    entry && new RegExp(`import \\{[^}]*\\b${entry[1] ?? name}\\b[^}]*\\} from "\\./(.+?)"`).exec(text);
  return imported ? `${folder}/${imported[1]}` : undefined;
}
