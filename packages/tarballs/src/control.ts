import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Tarball } from "./tarball.ts";

/** Maximum size of `npm install reins` in megabytes, dependencies included. */
export const mostMegabytes = 15;

/** The tarball of a package and those of its dependencies, without optional ones. */
export function broughtBy(name: string, tarballs: readonly Tarball[]): Tarball[] {
  const found = new Set<Tarball>();
  const visit = (wanted: string) => {
    const tarball = tarballs.find((t) => t.manifest.name === wanted);
    if (!tarball || found.has(tarball)) return;
    found.add(tarball);
    Object.keys(tarball.manifest.dependencies ?? {}).forEach(visit);
  };
  visit(name);
  return [...found];
}

/** Megabytes of all files in a folder. */
export function megabytes(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) bytes += lstatSync(join(entry.parentPath, entry.name)).size;
  return bytes / 1e6;
}

/** Trains an agent without the optional packages; requests that need one must name it in one line. */
export const controlProgram = `
import { spawnSync } from "node:child_process";
import { loadAgent, ppo, train } from "reins";
const agent = await train({ algorithm: ppo({ envs: 4, steps: 32, hidden: [16] }), env: "CartPole-v1", steps: 2048, evalEpisodes: 2 });
if ((await loadAgent(await agent.save())).algorithm !== "ppo") throw new Error("not the agent");
const expect = (said, ...parts) => {
  for (const part of parts) if (!said.includes(part) || said.trim().split("\\n").length > 1) throw new Error(said);
};
const said = (error) => error.message;
expect(await train({ algorithm: "grpo", env: "arithmetic" }).catch(said), "Run: npm install @reins/language");
expect(await train({ algorithm: "ppo", env: "CartPol-v1" }).catch(said), "Did you mean CartPole-v1");
expect(await import("reins/language").catch(said), "'@reins/language'");
const reins = (...args) => spawnSync(process.execPath, ["node_modules/reins/bin/reins.js", ...args], { encoding: "utf8" });
expect(reins("train", "grpo", "arithmetic").stderr, "Run: npm install @reins/language");
expect(reins("train", "ppo", "cartpole").stderr, "CartPole-v1");
expect(reins("recipes").stderr, "Run: npm install @reins/recipes");
expect(reins("scores", "ppo", "CartPole-v1").stderr, "Run: npm install @reins/recipes");
const listed = reins("envs");
if (listed.status !== 0 || !listed.stdout.includes("npm install @reins/language")) throw new Error(listed.stderr);
`;
