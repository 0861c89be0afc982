import { Hono } from "hono";
import type { RunsFolder } from "./folder.ts";
import type { StudioParts } from "./parts.ts";
import { Refusal } from "./refusal.ts";
import type { StartRequest } from "./start.ts";

/** Routes that start runs: a plan of the request, and the start. */
export function startRoutes(folder: RunsFolder, { starter }: StudioParts): Hono {
  const app = new Hono();
  app.post("/:name/:step{plan|start}", async (c) => {
    if (!starter) throw new Refusal(409, "this studio cannot start runs");
    const request = requestIn(await c.req.json());
    // The new process would follow links.
    const path = await folder.plainPathOf(c.req.param("name"));
    try {
      if (c.req.param("step") === "plan") return c.json(await starter.plan(path, request));
      return c.json(await starter.start(path, request));
    } catch (error) {
      throw new Refusal(409, (error as Error).message);
    }
  });
  return app;
}

/** Maximum number of changed settings, and of characters of one. */
const mostSettings = 50;
const longest = 300;

function requestIn(given: unknown): StartRequest {
  const { do: what, steps, seed, settings = {} } = (given ?? {}) as Record<string, unknown>;
  if (what === "resume")
    return steps === undefined ? { do: "resume" } : { do: "resume", steps: whole("steps", steps) };
  if (what !== "train") throw new Refusal(400, `do must be "resume" or "train", not ${JSON.stringify(what)}`);
  if (typeof settings !== "object" || settings === null) throw new Refusal(400, "settings must be an object");
  const entries = Object.entries(settings);
  const right = entries.every(
    ([name, value]) => /^\w{1,80}$/.test(name) && typeof value === "string" && value.length <= longest,
  );
  if (!right || entries.length > mostSettings)
    throw new Refusal(
      400,
      `settings must have at most ${mostSettings} names with values of up to ${longest} characters`,
    );
  return {
    do: "train",
    ...(seed === undefined ? {} : { seed: whole("seed", seed) }),
    settings: Object.fromEntries(entries) as Record<string, string>,
  };
}

function whole(name: string, x: unknown): number {
  if (typeof x === "number" && Number.isSafeInteger(x) && x >= 0) return x;
  throw new Refusal(400, `${name} must be a whole number, not ${JSON.stringify(x)}`);
}
