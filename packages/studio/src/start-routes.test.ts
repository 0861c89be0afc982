import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { RunStarter, StartRequest } from "./start.ts";
import { asking, folder, writeRun } from "./testing.ts";

const post = (body: unknown) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

it("starts runs only with the starter of the studio", async () => {
  const root = folder();
  const path = writeRun(root, "a");
  const asked: [string, StartRequest][] = [];
  const starter: RunStarter = {
    plan: async () => ({ command: "reins resume a", code: [] }),
    start: async (at, request) => {
      asked.push([at, request]);
      return { name: "a-2" };
    },
  };
  const { ask, json } = asking(root, { starter });
  const settings = { clip: "0.1" };
  expect(await json("/api/runs/a/plan", post({ do: "resume" }))).toEqual({
    command: "reins resume a",
    code: [],
  });
  expect(await json("/api/runs/a/start", post({ do: "train", seed: 3, settings }))).toEqual({ name: "a-2" });
  expect(asked).toEqual([[path, { do: "train", seed: 3, settings }]]);
  for (const wrong of [
    ...[{}, null, { do: "rm" }, { do: "resume", steps: -1 }, { do: "resume", steps: "9" }],
    ...[
      { do: "train", seed: 0.5 },
      { do: "train", settings: { "a b": "1" } },
      { do: "train", settings: { a: 1 } },
    ],
  ])
    expect((await ask("/api/runs/a/start", post(wrong))).status, JSON.stringify(wrong)).toBe(400);
  expect((await ask("/api/runs/..%2Fa/start", post({ do: "resume" }))).status).toBe(404);
  // The new process would follow links.
  symlinkSync("/etc/passwd", join(path, "last.agent"));
  expect((await ask("/api/runs/a/start", post({ do: "resume" }))).status).toBe(422);
  expect(asked.length).toBe(1);
  expect((await asking(root).ask("/api/runs/a/start", post({ do: "resume" }))).status).toBe(409);
});
