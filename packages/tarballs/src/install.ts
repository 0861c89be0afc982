import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { broughtBy, controlProgram, megabytes, mostMegabytes } from "./control.ts";
import { keeps, programOf } from "./programs.ts";
import type { Tarball } from "./tarball.ts";
import type { Manifest, Targets } from "./workspace.ts";

export interface InstallOptions {
  /** Versions of TypeScript that check the programs: `5.7`. */
  readonly typescript: readonly string[];
  /** Commands that run a file of JavaScript: `node`, `npx -y node@22`. */
  readonly runtimes: readonly string[];
}

/** Result of a command. */
interface Said {
  readonly ok: boolean;
  readonly out: string;
  /** Both streams, for error reports. */
  readonly all: string;
}

/**
 * Installs tarballs into an empty folder, as a user would, checks the types of each package's program and of every entry point, and runs
 * the programs. Prints a line for each step; returns the number of failures.
 */
export function install(
  tarballs: readonly Tarball[],
  folder: string,
  { typescript, runtimes }: InstallOptions,
  say: (line: string) => void,
): number {
  let wrong = 0;
  const note = (what: string, said: Said) => {
    say(`${said.ok ? "ok    " : "WRONG "} ${what}`);
    if (said.ok) return;
    wrong++;
    for (const line of said.all.trimEnd().split("\n").slice(-40)) say(`       ${line}`);
  };
  // Beside the other folder, so that its packages are not found from here.
  const control = `${folder}-control`;
  const run = (command: string, ...args: string[]): Said => runIn(folder, command, ...args);
  const runIn = (cwd: string, command: string, ...args: string[]): Said => {
    const [program, ...before] = command.split(" ");
    const env = { ...process.env, REINS_QUIET: "1", REINS_STATE: join(folder, "state") };
    const { status, stdout, stderr, error } = spawnSync(program, [...before, ...args], {
      cwd,
      env,
      encoding: "utf8",
      timeout: 300_000,
    });
    return { ok: status === 0, out: stdout ?? "", all: `${error ?? ""}${stdout ?? ""}${stderr ?? ""}` };
  };

  const npm = "npm install --prefer-offline --no-audit --no-fund --loglevel=error";
  write(control, "package.json", JSON.stringify(project(broughtBy("reins", tarballs), control, [])));
  note("npm install reins, for control", runIn(control, npm));
  const size = megabytes(join(control, "node_modules"));
  note(`it takes ${size.toFixed(1)} MB, of at most ${mostMegabytes}`, {
    ok: size < mostMegabytes,
    out: "",
    all: "",
  });
  write(control, "control.js", controlProgram);
  for (const runtime of runtimes)
    note(`it trains, and names missing packages: ${runtime}`, runIn(control, runtime, "control.js"));

  write(folder, "package.json", JSON.stringify(project(tarballs, folder, typescript), null, 2));
  const installed = run(npm);
  note("npm install", installed);
  if (!installed.ok) return wrong;

  write(folder, "engines.js", withoutEngines);
  for (const runtime of runtimes) note(`missing engines are named: ${runtime}`, run(runtime, "engines.js"));
  write(folder, "old-names.js", oldNames);
  for (const runtime of runtimes)
    note(`names of version 0.1 give the name now: ${runtime}`, run(runtime, "old-names.js"));
  const engines = ["@reins/language", "@reins/envs"].flatMap((name) =>
    Object.entries(tarballs.find((t) => t.manifest.name === name)!.manifest.peerDependencies!),
  );
  note("npm install, with engines", run(npm, ...engines.map(([name, range]) => `${name}@${range}`)));

  const programs = tarballs.flatMap(({ manifest, files }) => {
    const program = programOf(files.get("README.md") ?? "");
    return program ? [{ ...program, name: manifest.name.replace("@reins/", "") }] : [];
  });
  for (const { name, code } of programs) write(folder, `src/${name}.ts`, code);
  write(folder, "src/entries.ts", entries(tarballs.map((t) => t.manifest)));
  for (const version of typescript)
    for (const resolution of ["bundler", "nodenext"]) {
      const module = resolution === "bundler" ? "esnext" : "nodenext";
      write(
        folder,
        "tsconfig.json",
        JSON.stringify({
          compilerOptions: { ...strict, module, moduleResolution: resolution },
          include: ["src"],
        }),
      );
      note(
        `types, TypeScript ${version}, ${resolution}`,
        run("node", `node_modules/typescript-${version}/bin/tsc`),
      );
    }

  for (const runtime of runtimes) {
    note(`every entry point: ${runtime}`, run(runtime, "out/entries.js"));
    for (const program of programs) {
      const said = run(runtime, `out/${program.name}.js`);
      note(`the program of ${program.name}: ${runtime}`, {
        ...said,
        ok: said.ok && keeps(program, said.out),
      });
    }
    const page = run(runtime, "node_modules/reins/bin/reins.js", "diagnose", "--explain", "steps-too-large");
    note(`reins diagnose --explain: ${runtime}`, { ...page, ok: page.ok && page.out.includes("What to do") });
    const listed = run(runtime, "node_modules/reins/bin/reins.js", "envs");
    note(`reins envs: ${runtime}`, { ...listed, ok: listed.ok && listed.out.includes("CartPole-v1") });
  }
  return wrong;
}

/** Strict settings: declarations of libraries are checked, too. */
const strict = {
  target: "es2022",
  lib: ["es2022", "dom"],
  strict: true,
  skipLibCheck: false,
  rootDir: "src",
  outDir: "out",
  types: ["node"],
};

function project(tarballs: readonly Tarball[], folder: string, typescript: readonly string[]) {
  return {
    private: true,
    type: "module",
    dependencies: Object.fromEntries(
      tarballs.map((t) => [t.manifest.name, `file:${relative(folder, t.file)}`]),
    ),
    devDependencies: {
      ...(typescript.length ? { "@types/node": "^20.19.0" } : {}),
      ...Object.fromEntries(typescript.map((v) => [`typescript-${v}`, `npm:typescript@~${v}.0`])),
    },
  };
}

/** A program that imports each entry point as a whole. */
function entries(manifests: readonly Manifest[]): string {
  const names = manifests.flatMap(({ name, exports = {} }) =>
    Object.keys(exports as Record<string, Targets>).map((subpath) => name + subpath.slice(1)),
  );
  return [
    ...names.map((name, i) => `import * as entry${i} from "${name}";`),
    `for (const entry of [${names.map((_, i) => `entry${i}`).join(", ")}]) if (!Object.keys(entry).length) throw new Error("empty");`,
  ].join("\n");
}

/** A program that fails unless everything that needs an engine names the package to install. */
const withoutEngines = `
import { loadEnv, loadMujoco } from "@reins/envs";
import { sandboxes } from "@reins/language";
const asked = {
  "@mujoco/mujoco": () => loadMujoco(),
  ajv: () => sandboxes.jsonSchema().run({ schema: "{}", data: "1" }),
  "chess.js": () => loadEnv("Chess-v0"),
  highs: () => sandboxes.linearProgram().run("max"),
  planck: () => loadEnv("LunarLander-v3"),
  pyodide: async () => sandboxes.python().run("1"),
  "quickjs-emscripten": () => sandboxes.javascript().run({ code: "1" }),
  "sql.js": () => sandboxes.sql().run({ database: "", query: "SELECT 1" }),
};
for (const [engine, ask] of Object.entries(asked)) {
  const said = await ask().then(() => "it ran", (error) => error.message);
  if (!said.endsWith("Run: npm install " + engine)) throw new Error(engine + ": " + said);
}
`;

function write(folder: string, path: string, text: string): void {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** A program for version 0.1: each use of an old name must fail with the name now. */
const oldNames = `
import { learnFrom, losses, onPolicy, Player } from "reins/core";
import { penaltyPpo } from "reins";
import { families } from "reins/language";
const uses = [
  [() => losses.policyGradient({}), 'import * as losses from "reins/core/losses"'],
  [() => onPolicy({}), 'onPolicy of "reins/core/loops"'],
  [() => new Player(), 'PolicyRunner of "reins/core/policies"'],
  [() => class extends Player {}, 'PolicyRunner of "reins/core/policies"'],
  [() => learnFrom(), 'learnFrom of "reins/core/loops"'],
  [() => penaltyPpo(), 'penaltyPpo of "reins/algorithms"'],
  [() => families.arithmetic, "textTasks"],
];
for (const [use, now] of uses) {
  let message = "nothing";
  try { use(); } catch (error) { message = error.message; }
  if (!message.includes("Use " + now)) throw new Error("expected " + now + ", found: " + message);
}
`;
