import { transform } from "sucrase";
import { curveOf } from "./curve-callbacks.ts";
import type { PlaygroundReport } from "./demo.ts";
import { textOf } from "./value-text.ts";

const report = (message: PlaygroundReport) => postMessage(message);

/** Modules that a program can import, loaded when it does. */
const modules: Readonly<Record<string, () => Promise<object>>> = {
  reins: async () => withCurve(await import("reins")),
  "reins/tensor": () => import("reins/tensor"),
  "reins/tensor/webgpu": () => import("reins/tensor/webgpu"),
  "reins/nn": () => import("reins/nn"),
  "reins/core": () => import("reins/core"),
  "reins/core/diagnostics": () => import("reins/core/diagnostics"),
  "reins/core/episodes": () => import("reins/core/episodes"),
  "reins/core/errors": () => import("reins/core/errors"),
  "reins/core/evaluations": () => import("reins/core/evaluations"),
  "reins/core/examples": () => import("reins/core/examples"),
  "reins/core/forms": () => import("reins/core/forms"),
  "reins/core/judges": () => import("reins/core/judges"),
  "reins/core/loops": () => import("reins/core/loops"),
  "reins/core/losses": () => import("reins/core/losses"),
  "reins/core/metrics": () => import("reins/core/metrics"),
  "reins/core/plans": () => import("reins/core/plans"),
  "reins/core/policies": () => import("reins/core/policies"),
  "reins/core/random": () => import("reins/core/random"),
  "reins/core/replay": () => import("reins/core/replay"),
  "reins/core/selections": () => import("reins/core/selections"),
  "reins/core/settings": () => import("reins/core/settings"),
  "reins/core/signals": () => import("reins/core/signals"),
  "reins/core/snapshots": () => import("reins/core/snapshots"),
  "reins/core/spaces": () => import("reins/core/spaces"),
  "reins/core/targets": () => import("reins/core/targets"),
  "reins/core/tasks": () => import("reins/core/tasks"),
  "reins/envs": () => import("reins/envs"),
  "reins/algorithms": () => import("reins/algorithms"),
};

/** Every training of the program draws its returns and shows its agent, whatever else the program does with them. */
function withCurve(reins: typeof import("reins")): object {
  const train = async (options: import("reins").TrainOptions) => {
    const trained = await reins.train({
      ...options,
      callbacks: [options.callbacks ?? [], curveOf(plot, options.steps ?? 100_000)].flat(),
    });
    if ("act" in trained) await show(trained);
    return trained;
  };
  return { ...reins, train };
}

/** Shows an episode of an agent. Environments without a rendering show nothing. */
async function show(agent: import("reins").Agent): Promise<void> {
  const { renderEpisode } = await import("reins/tools");
  try {
    const svg = await renderEpisode(agent, { format: "svg", steps: 300, every: 2, fps: 25 });
    report({ kind: "episode", svg: new TextDecoder().decode(svg) });
  } catch {}
}

/** Draws a point of the curve. Programs can call it too. */
function plot(step: number, value: number): void {
  if (Number.isFinite(value)) report({ kind: "point", step, value });
}

for (const level of ["log", "info", "warn", "error"] as const)
  console[level] = (...values: unknown[]) =>
    report({ kind: "log", text: values.map((value) => textOf(value)).join(" ") });

/** Runs a program: its types are removed, and its imports become calls of `load`. */
async function run(program: string): Promise<void> {
  const { code } = transform(program, { transforms: ["typescript", "imports"], disableESTransforms: true });
  const loaded = new Map<string, object>();
  for (const [, name] of code.matchAll(/\brequire\(['"](.+?)['"]\)/g)) {
    if (!Object.hasOwn(modules, name))
      throw new Error(`Cannot import "${name}". Available: ${Object.keys(modules).join(", ")}.`);
    loaded.set(name, { __esModule: true, ...(await modules[name]()) });
  }
  const AsyncFunction = (async () => {}).constructor as new (
    ...parts: string[]
  ) => (...values: unknown[]) => Promise<void>;
  await new AsyncFunction("require", "exports", "plot", code)((name: string) => loaded.get(name), {}, plot);
}

addEventListener("message", async ({ data }: MessageEvent<{ program: string }>) => {
  try {
    await run(data.program);
    report({ kind: "done" });
  } catch (error) {
    report({ kind: "failed", reason: error instanceof Error ? error.message : String(error) });
  }
});
