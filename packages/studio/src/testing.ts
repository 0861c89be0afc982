import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { studioApp } from "./app.ts";
import type { StudioParts } from "./parts.ts";

/** A folder for runs, removed after the test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "reins-studio-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Writes the files of a run. */
export function writeRun(
  root: string,
  name: string,
  more: { config?: object; rows?: readonly object[]; summary?: object } = {},
) {
  const path = join(root, name);
  mkdirSync(path, { recursive: true });
  const config = {
    ...{ format: 1, reins: "0.1.0", created: "2026-01-01T00:00:00.000Z", options: {}, envOptions: {} },
    ...{ algorithm: "ppo", env: "CartPole-v1", steps: 1000, seed: 0, ...more.config },
  };
  writeFileSync(join(path, "config.json"), JSON.stringify(config));
  const rows = more.rows ?? [
    { step: 100, "return/mean": 10, episodes: 4 },
    { step: 200, "return/mean": 20, episodes: 8 },
  ];
  const lines = (all: readonly object[]) => all.map((row) => `${JSON.stringify(row)}\n`).join("");
  writeFileSync(join(path, "metrics.jsonl"), lines(rows));
  writeFileSync(
    join(path, "times.jsonl"),
    lines(rows.map((row, i) => ({ step: (row as { step: number }).step, at: 1e9 + i, seconds: i + 1 }))),
  );
  const summary = more.summary ?? { status: "finished", steps: 200 };
  writeFileSync(join(path, "summary.json"), JSON.stringify(summary));
  return path;
}

const token = "secret-word";

/** Sends requests to a studio on a folder, in process and with its token. */
export function asking(root: string, parts: StudioParts = {}) {
  const app = studioApp(root, parts, { hosts: new Set(["127.0.0.1"]), token });
  const ask = (path: string, init: RequestInit & { headers?: Record<string, string> } = {}) =>
    app.request(path, {
      ...init,
      headers: { host: "127.0.0.1:4680", authorization: `Bearer ${token}`, ...init.headers },
    });
  return {
    ask,
    json: async <T>(path: string, init?: RequestInit) =>
      (await ask(path, init as never)).json() as Promise<T>,
  };
}
