import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { transformWithEsbuild } from "vite";
import { expect, it, onTestFinished } from "vitest";
import { folder, reins } from "./cli/testing.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const built = existsSync(join(root, "packages/reins/dist/packed/piece-worker.js"));
const tutorial = readFileSync(join(root, "docs/tutorial.md"), "utf8");

/** The words of a command line; quoted text is one word. */
const words = (line: string) => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((m) => m[1] ?? m[2]);

/** Every command of the tutorial, in order; training commands run briefly. */
const commands = [...tutorial.matchAll(/^ {4}npx reins (.+)$/gm)].map(([, line]) =>
  words(
    line
      .replace(/--steps \w+/, line.startsWith("tune") ? "--steps 256" : "--steps 4096 --eval-episodes 2")
      .replace(/--eval-every \w+/, "--eval-every 2048")
      .replace(/--trials \w+ --test-seeds \w+/, "--trials 2 --tuning-seeds 1 --test-seeds 0")
      .replace(/--eval-episodes 10/, "--eval-episodes 1")
      .replace(/^watch$|^watch (?=.*--episodes)/, "watch --fps 0 "),
  ),
);

/** The exported declaration of that name in a program of the tutorial. */
async function module(name: string): Promise<string> {
  const [program] = new RegExp(`^import [^\`]*?^class ${name} .*?^}$`, "ms").exec(tutorial) ?? [""];
  const exported = program.replace(`class ${name} `, `export class ${name} `).replace('.ts"', '.js"');
  return (await transformWithEsbuild(`${exported}\nexport default () => new ${name}();`, "world.ts")).code;
}

it.skipIf(!built)(
  "every command of the tutorial works",
  async () => {
    const here = process.cwd();
    process.chdir(folder());
    onTestFinished(() => process.chdir(here));
    for (const path of ["build", "src"]) mkdirSync(path);
    symlinkSync(join(root, "node_modules"), "node_modules");
    writeFileSync("build/rocket.js", await module("Rocket"));
    writeFileSync("build/hovering.js", await module("Hovering"));

    const said = new Map<string, string>();
    for (const command of commands) {
      const { code, out, err } = await reins(...command);
      expect(code, `reins ${command.join(" ")}\n${out}${err}`).toBe(0);
      said.set(command.slice(0, 2).join(" "), out);
    }
    expect(said.get("check-env ./build/rocket.js")).toMatch(/passes all checks/);
    expect(said.get("diagnose wild")).toContain("reins diagnose --explain steps-too-large");
    expect(readFileSync("flight.gif").length).toBeGreaterThan(1000);
    expect(readFileSync("tuning/ppo-Rocket-v0/importance.svg", "utf8")).toContain("<circle");
    expect(readFileSync("rocket.onnx").length).toBeGreaterThan(1000);
    const { act } = await import(/* @vite-ignore */ pathToFileURL(join(process.cwd(), "src/act.js")).href);
    expect([0, 1]).toContain(act([1.5, -0.5]));
  },
  300_000,
);
