import { expect, it } from "vitest";
import { engineFile, notInstalled } from "./engines.ts";

it("a missing engine is named with the install command", async () => {
  const said = "sandbox sql: no-such-engine is not installed. Run: npm install no-such-engine";
  expect(() => engineFile("sql", "no-such-engine")).toThrow(said);
  expect(() => engineFile("sql", "no-such-engine", "no-such-engine/dist/engine.wasm")).toThrow(said);
  expect(engineFile("sql", "sql.js")).toMatch(/sql\.js/);
});

it("other errors are passed on", async () => {
  const broken = new Error("It is damaged.");
  await expect(Promise.reject(broken).catch(notInstalled("sql", "sql.js"))).rejects.toBe(broken);
});
