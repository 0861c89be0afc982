import type { FileHandle } from "node:fs/promises";
import type { RemoteCommand } from "@reins/core/directory";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { HTTPException } from "hono/http-exception";
import { fileOf, filesOf } from "./artifact-files.ts";
import { assetOf, policy } from "./assets.ts";
import { packed, readStretch } from "./columns.ts";
import { detailOf } from "./detail.ts";
import { runsWithEpisodes } from "./episode-runs.ts";
import { episodeOf, episodesOf } from "./episodes.ts";
import { RunsFolder } from "./folder.ts";
import { type Guard, guarded } from "./guard.ts";
import { KnownFiles } from "./known-files.ts";
import { RunList } from "./list.ts";
import { writeMarks } from "./marks.ts";
import type { StudioParts } from "./parts.ts";
import { recipeRoutes } from "./recipes.ts";
import { Refusal } from "./refusal.ts";
import { RunLog } from "./run-log.ts";
import type { FieldNames, RunActions, RunListing } from "./run-wire.ts";
import { sparkOf } from "./spark.ts";
import { startRoutes } from "./start-routes.ts";
import { Transcripts } from "./transcripts.ts";
import { deletedRuns, deleteRun, purgeRun, restoreRun } from "./trash.ts";
import { tuningRoutes } from "./tunings.ts";

/** Milliseconds to wait for a complete list before a partial one is sent. */
const patience = 300;
/** Maximum number of settings and metrics in a request for the list. */
const mostFields = 100;

/** The routes of the server. */
export function studioApp(root: string, parts: StudioParts, guard: Guard): Hono {
  const folder = new RunsFolder(root);
  const list = new RunList(folder);
  // The list is usually requested first.
  void list.lines(0).catch(() => {});
  const transcripts = new Transcripts(folder);
  const logs = new KnownFiles(folder, "metrics.jsonl", () => new RunLog());
  const app = new Hono();

  app.use(async (c, next) => {
    await next();
    c.header("content-security-policy", policy);
    c.header("x-content-type-options", "nosniff");
    c.header("referrer-policy", "no-referrer");
    c.header("cross-origin-opener-policy", "same-origin");
    c.header("cross-origin-resource-policy", "same-origin");
    c.header("cross-origin-embedder-policy", "require-corp");
    if (c.req.path.startsWith("/api/")) c.header("cache-control", "no-store");
  });
  app.use(guarded(guard));
  app.use("/api/*", bodyLimit({ maxSize: 1 << 18 }));
  app.onError((error, c) => {
    if (error instanceof Refusal) return c.json({ error: error.message }, error.status);
    if (error instanceof HTTPException)
      return c.json({ error: error.message || "the request is too large" }, error.status);
    if (error instanceof SyntaxError) return c.json({ error: "the request body is not valid JSON" }, 400);
    return c.json({ error: error.message }, 500);
  });

  app.get("/api/runs", async (c) => {
    const runs = await list.lines(patience, (c.req.queries("field") ?? []).slice(0, mostFields));
    const deleted = await deletedRuns(folder);
    return c.json({ root: folder.root, runs, waiting: list.waiting, deleted } satisfies RunListing);
  });
  app.get("/api/fields", (c) => c.json(list.names() satisfies FieldNames));
  app.get("/api/runs/:name", async (c) =>
    c.json(await detailOf({ folder, list, logs }, c.req.param("name"))),
  );
  app.get("/api/runs/:name/spark", async (c) => {
    const spark = (file: FileHandle) => sparkOf(file, "return/mean", 48);
    return c.json((await folder.reading(c.req.param("name"), ["metrics.jsonl"], spark)) ?? []);
  });
  app.get("/api/runs/:name/columns/:log{metrics|times}", async (c) => {
    const from = wholeOf(c.req.query("from") ?? "0");
    const given = c.req.query("mark");
    const mark = given === undefined || given === "" ? null : Number(given);
    const names = c.req.queries("name") ?? [];
    const read = (file: FileHandle) => readStretch(file, { from, mark, names });
    const found = await folder.reading(c.req.param("name"), [`${c.req.param("log")}.jsonl`], read);
    if (!found) throw new Refusal(404, "the log is empty so far");
    return c.body(packed(found), 200, { "content-type": "application/octet-stream" });
  });
  app.get("/api/runs/:name/events", async (c) => c.json((await logs.of(c.req.param("name"))).events));
  app.get("/api/episodes", async (c) => c.json(await runsWithEpisodes(folder)));
  app.get("/api/runs/:name/episodes", async (c) => c.json(await episodesOf(folder, c.req.param("name"))));
  app.get("/api/runs/:name/episodes/:number{\\d+}", async (c) =>
    c.json(await episodeOf(folder, c.req.param("name"), wholeOf(c.req.param("number")))),
  );
  app.get("/api/runs/:name/transcripts", async (c) => c.json(await transcripts.list(c.req.param("name"))));
  app.get("/api/runs/:name/transcripts/:number{\\d+}", async (c) =>
    c.json(await transcripts.one(c.req.param("name"), wholeOf(c.req.param("number")))),
  );

  app.get("/api/runs/:name/actions", async (c) => {
    const files = await filesOf(folder, c.req.param("name"));
    return c.json({ files, starts: parts.starter !== undefined } satisfies RunActions);
  });
  app.get("/api/runs/:name/files/:file", (c) =>
    fileOf(folder, logs, c.req.param("name"), c.req.param("file")),
  );
  app.route("/api/runs", startRoutes(folder, parts));

  app.put("/api/runs/:name/marks", async (c) =>
    c.json(await writeMarks(folder, c.req.param("name"), await c.req.json())),
  );
  app.post("/api/runs/:name/command", async (c) => {
    if (!parts.control) throw new Refusal(409, "this studio cannot control runs");
    const path = await folder.pathOf(c.req.param("name"));
    const command = (await c.req.json()) as RemoteCommand;
    try {
      return c.json(await parts.control(path, command));
    } catch (error) {
      // The page knows the run, so its path is left out.
      const message = (error as Error).message.replace(`${path}: `, "");
      // A run that has ended is not an error of a status request.
      if (command?.do === "status") return c.json({ done: message, state: null });
      throw new Refusal(409, message);
    }
  });
  app.post("/api/runs/:name/diagnosis", async (c) => {
    if (!parts.diagnose) throw new Refusal(409, "this studio cannot diagnose runs");
    const path = await folder.plainPathOf(c.req.param("name"));
    try {
      return c.json((await parts.diagnose(path)) as object);
    } catch (error) {
      throw new Refusal(409, (error as Error).message);
    }
  });
  app.delete("/api/runs/:name", async (c) => {
    const { line } = await list.look(c.req.param("name"));
    if (line.state === "running") throw new Refusal(409, "the run is training: stop it first");
    await deleteRun(folder, line.name);
    return c.json({});
  });
  app.post("/api/deleted/:name", async (c) => c.json((await restoreRun(folder, c.req.param("name"))) ?? {}));
  app.delete("/api/deleted/:name", async (c) => c.json((await purgeRun(folder, c.req.param("name"))) ?? {}));

  app.route("/api/recipes", recipeRoutes(parts));
  app.route("/api/tunings", tuningRoutes(parts));

  app.all("/api/*", (c) => c.json({ error: "unknown route" }, 404));
  app.get("*", async (c) => (await assetOf(c.req.path)) ?? c.text("Not found.", 404));
  return app;
}

function wholeOf(text: string): number {
  const x = Number(text);
  if (!Number.isSafeInteger(x) || x < 0) throw new Refusal(400, `expected a whole number, not ${text}`);
  return x;
}
