import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { dependency } from "../cli/dependency.ts";
import { folder, reins } from "../cli/testing.ts";

const modules = fileURLToPath(new URL("../../../../node_modules", import.meta.url));

it("a new project is built, tested, trained and exported", async () => {
  const here = join(folder(), "my-agent");
  const { code, out } = await reins("init", here);
  expect(code).toBe(0);
  expect(out).toContain("npm run train");
  symlinkSync(modules, join(here, "node_modules"), "dir");
  const run = (file: string, ...args: string[]) =>
    execFileSync(process.execPath, [file, ...args], {
      cwd: here,
      encoding: "utf8",
      env: { ...process.env, REINS_BACKEND: "wasm", REINS_QUIET: "1" },
    });
  const { scripts, name, dependencies } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
  expect([name, scripts.test]).toEqual(["my-agent", "tsc && node --test dist/env.test.js"]);
  // In a checkout, the project depends on the folder.
  const [, from] = /^file:(.*)$/.exec(dependencies.reins) ?? [];
  expect(JSON.parse(readFileSync(join(from!, "package.json"), "utf8")).name).toBe("reins");
  expect(out).toContain(dependencies.reins);
  expect(readFileSync(join(here, "README.md"), "utf8")).not.toContain("http");
  run(join(modules, "typescript", "bin", "tsc"));
  expect(run("--test", "dist/env.test.js")).toContain("pass 3");
  const said = run("dist/train.js", "1536");
  expect(said).toMatch(/^return -?[\d.]+ over 100 evaluation days, 95% CI \[-?[\d.]+, -?[\d.]+\]$/m);
  expect(existsSync(join(here, "runs", "thermostat", "last.agent"))).toBe(true);
  const { act } = await import(pathToFileURL(join(here, "act.js")).href);
  expect([0, 1]).toContain(act([0.5, 1]));
  expect(readFileSync(join(here, "act.d.ts"), "utf8")).toContain("export type Action = number;");
});

it("a project of an installed package depends on its version", () => {
  expect(dependency(join(folder(), "node_modules", "reins"))).toMatch(/^\^\d+\.\d+\.\d+$/);
  expect(dependency(join(folder(), "packages", "reins"))).toMatch(/^file:.*\/packages\/reins$/);
});

it("does not overwrite files", async () => {
  const here = folder();
  const refused = async (...args: string[]) => {
    const { code, err } = await reins("init", ...args);
    expect(code).toBeGreaterThan(0);
    return err;
  };
  mkdirSync(join(here, "taken"));
  writeFileSync(join(here, "taken", "x"), "");
  writeFileSync(join(here, "file"), "");
  expect(await refused(join(here, "taken"))).toContain("the folder is not empty");
  expect(await refused(join(here, "file"))).toContain("a file of this name exists");
  expect(await refused(join(here, "file", "inside"))).toContain("writing failed");
  expect(await refused(join(here, "My Agent"))).toContain("is not a valid package name");
  expect(await refused()).toContain("missing project name");
  expect(await refused("a", "b")).toContain("unexpected argument");
});
