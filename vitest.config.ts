import { readFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

// Tests import the TypeScript sources of every package, not their builds: the "source" condition says so. `npm test`, which has
// just built them, says `--mode built`: then a test imports its own package's sources and the builds of all others, which load in
// a tenth of the time.
const include = [
  "packages/*/src/**/*.test.ts",
  "apps/*/{src,tests}/**/*.test.ts",
  "recipes/*.test.ts",
  "recipes/*/*.test.ts",
  "site/*.test.ts",
];
/** Tests of algorithms, environments and models. They restore global state, so files share worker threads. */
const methods = [
  "packages/{algorithms,core,language,nn,recipes}/src/**",
  "apps/studio/src/**",
  "packages/reins/src/{terminal,width}/**",
  "packages/envs/src/!(remote)/**",
];
/** Tests of the public interface: commands, agents, pages, remote environments. Files share child processes. */
const face = "packages/{envs,reins}/src/**";
/** These replace modules, count allocations, start processes that must end with them, need a large stack, or set flags of the engine. Each has its own process. */
const alone = ["allocation", "box2d", "generator-use", "pool", "replace-file", "same-bits", "sandboxes"];
const aloneInFace = ["main", "box2d", "*allocation", "browser", "glossary", "modules", "pages"];
const together = methods.map((folder) => `${folder}/!(${alone.join("|")}).test.ts`);
/** Tests of the compiler that leave its back ends and its heap as they were. Files share child processes. */
const tensors = [
  "packages/tensor/src/!(heap*|memory|lifetime|same-bits).test.ts",
  "packages/tensor/src/{compile,lower,math,transform}/**/*.test.ts",
];
const commands = `${face}/!(${aloneInFace.join("|")}).test.ts`;
// Projects are not told the mode that the command line named.
const built = process.argv.join(" ").includes("--mode built");
/** Tests trust files in a state of their own and print no notes about back ends. Children of tests are builds where tests are. */
const env = {
  REINS_STATE: join(tmpdir(), "reins-test-state"),
  REINS_QUIET: "1",
  ...(built ? { REINS_TEST_BUILT: "1" } : {}),
};

/** A package's names for its own files, as `#native`, are its sources, whatever others are. */
const own = {
  name: "own-sources",
  enforce: "pre" as const,
  resolveId(id: string, importer?: string) {
    const folder = /^.*\/packages\/\w+(?=\/src\/)/.exec(importer ?? "")?.[0];
    if (!folder || !id.startsWith("#")) return;
    const { imports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return join(folder, imports[id].source);
  },
};

/** No time goes to the C compiler, which tests of the compiler wait for. */
const quickly = { ...env, REINS_BACKEND: process.env.REINS_BACKEND ?? "wasm" };
/** Processes of their own collect what tests leave behind less often. Threads take no such flags. */
const execArgv = ["--max-semi-space-size=64"];
const project = (name: string, test: object) => ({
  extends: true as const,
  test: { name, env, setupFiles: ["./vitest.setup.ts"], execArgv, ...test },
});

export default defineConfig(() => {
  const conditions = [...(built ? [] : ["source"]), "node", "import", "default"];
  return {
    plugins: built ? [own] : [],
    resolve: {
      conditions,
      // What a package does not publish is imported from its build by path; here that too is the source.
      alias: built ? [] : [{ find: /^(\.\.\/\.\.\/\w+)\/dist\/(.+)\.js$/, replacement: "$1/src/$2.ts" }],
    },
    ssr: { resolve: { conditions, externalConditions: ["node", "import", "default"] } },
    test: {
      projects: [
        project("compiler", {
          include,
          exclude: [...together, ...tensors, `${face}/!(main).test.ts`],
        }),
        project("tensors", { include: tensors, isolate: false }),
        project("isolated", {
          include: [`${face}/!(main).test.ts`],
          exclude: [...together, commands],
          env: quickly,
        }),
        project("face", { include: [commands], exclude: together, env: quickly, isolate: false }),
        project("methods", {
          include: together,
          env: quickly,
          pool: "threads",
          isolate: false,
          execArgv: [],
        }),
      ],
      tags: [{ name: "slow", description: "Runs in `npm run test:all`, not in `npm test`." }],
      server: { deps: { external: built ? [/\/packages\/\w+\/dist\//] : [] } },
      testTimeout: 120_000,
      hookTimeout: 120_000,
      pool: "forks" as const,
      // One more than cores: browsers, child processes and compilers keep some workers waiting.
      maxWorkers: availableParallelism() + 1,
      reporters: ["default", "./vitest.reporter.ts"],
    },
  };
});
