import {
  appendFileSync,
  existsSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { studioApp } from "./app.ts";
import { absent, type FieldNames, type RunDetail, type RunListing } from "./run-wire.ts";
import { asking, folder, writeRun } from "./testing.ts";

const listed = async (root: string) => (await asking(root).json<RunListing>("/api/runs")).runs;

describe("the list", () => {
  it("shows the flags that distinguish runs, and the final speed", async () => {
    const root = folder();
    const command =
      "reins train ppo CartPole-v1 --steps 30k --learning-rate 3e-4 --clip 'linear(0.2, 0)' --seed 2 --seeds 5 --popart --quiet";
    writeRun(root, "a", {
      config: { command },
      summary: { status: "finished", steps: 200, stepsPerSecond: 777 },
    });
    writeRun(root, "b", { config: { command: { odd: 1 } } });
    const found = new Map((await listed(root)).map((run) => [run.name, run]));
    expect(found.get("a")).toMatchObject({
      given: "--learning-rate 3e-4 --clip 'linear(0.2, 0)' --popart",
      stepsPerSecond: 777,
    });
    expect(found.get("b")).toMatchObject({ given: "" });
  });

  it("has the runs of a folder, newest first", async () => {
    const root = folder();
    writeRun(root, "old", { config: { created: "2026-01-01T00:00:00.000Z" } });
    writeRun(root, "new", { config: { created: "2026-02-01T00:00:00.000Z", seed: 7 } });
    mkdirSync(join(root, "no-run"));
    const runs = await listed(root);
    expect(
      runs.map(({ name, state, seed, return: r, steps, stepsPerSecond }) => [
        name,
        state,
        seed,
        r,
        steps,
        stepsPerSecond,
      ]),
    ).toEqual([
      ["new", "finished", 7, 20, 200, 100],
      ["old", "finished", 0, 20, 200, 100],
    ]);
  });

  it("is empty without a folder", async () => {
    expect(await asking(join(folder(), "nowhere")).json("/api/runs")).toMatchObject({ runs: [], waiting: 0 });
  });

  it("shows the error of a crashed run", async () => {
    const root = folder();
    writeRun(root, "dead", { summary: { status: "crashed", steps: 200, error: "the loss is NaN" } });
    expect((await listed(root))[0]).toMatchObject({ state: "crashed", problem: "the loss is NaN" });
  });

  it("shows unreadable runs", async () => {
    const root = folder();
    writeFileSync(join(writeRun(root, "torn"), "config.json"), '{"format":1,');
    writeFileSync(
      join(writeRun(root, "later"), "config.json"),
      '{"format":99,"algorithm":"x","reins":"9.0.0"}',
    );
    const [a, b] = [...(await listed(root))].sort((x, y) => (x.name < y.name ? -1 : 1));
    expect([a.state, b.state]).toEqual(["unreadable", "unreadable"]);
    expect(a.problem).toContain("format 99");
    expect(b.problem).toContain("is not JSON");
  });

  it("has the requested settings and metrics, and the names of all", async () => {
    const root = folder();
    const rate = { signal: "linear", from: 0.1, to: 0 };
    const rows = [
      { step: 100, "return/mean": 10, "policy/kl": 0.5 },
      { step: 100, "evaluation/return": 9 },
    ];
    writeRun(root, "a", { config: { seed: 1, options: { rate, steps: 7 }, envOptions: { wind: 2 } }, rows });
    writeRun(root, "b", { config: { seed: 2, options: { rate, steps: 7 }, envOptions: { wind: 2 } }, rows });
    writeRun(root, "c", {
      config: { options: { rate: 3e-4 } },
      summary: { status: "finished", metrics: { x: 1 } },
    });
    const { json } = asking(root);
    const asked = "rate,options.steps,env.wind,policy/kl,x,constructor".split(",").map((f) => `field=${f}`);
    const { runs } = await json<RunListing>(`/api/runs?${asked.join("&")}`);
    const [a, b, c] = [...runs].sort((x, y) => (x.name < y.name ? -1 : 1));
    expect(a.fields).toEqual({
      ...{ rate: "linear(0.1, 0)", "options.steps": 7, "env.wind": 2, "policy/kl": 0.5 },
    });
    expect(c.fields).toEqual({ rate: 3e-4, x: 1 });
    // Runs that differ only in the seed form a group.
    expect([a.group === b.group, a.group === c.group]).toEqual([true, false]);
    expect((await json<RunListing>("/api/runs")).runs[0].fields).toBeUndefined();
    const { settings, metrics } = await json<FieldNames>("/api/fields");
    expect(settings).toContainEqual({ name: "rate", values: 2 });
    expect(metrics).toEqual(["policy/kl", "return/mean", "x"]);
  });

  it("does not group runs of two environment files that share an id", async () => {
    const root = folder();
    for (const file of ["first", "second"])
      for (const seed of [1, 2])
        writeRun(root, `${file}-${seed}`, { config: { env: "Mine-v0", seed, module: `/envs/${file}.js` } });
    const groups = new Map((await listed(root)).map(({ name, group }) => [name, group]));
    expect(groups.get("first-1")).toBe(groups.get("first-2"));
    expect(groups.get("first-1")).not.toBe(groups.get("second-1"));
  });

  it("has the bounds of the return, if the environment defines them", async () => {
    const root = folder();
    writeRun(root, "a", { config: { returnBounds: [0, 500] } });
    writeRun(root, "b", { config: { returnBounds: [5, "x"] } });
    const found = new Map((await listed(root)).map((run) => [run.name, run.returnBounds]));
    expect([found.get("a"), found.get("b")]).toEqual([[0, 500], undefined]);
  });

  it("updates when a run changes", async () => {
    const root = folder();
    const { json } = asking(root);
    const path = writeRun(root, "a");
    await json("/api/runs");
    writeRun(root, "b");
    writeFileSync(join(path, "other.json"), "{}");
    writeFileSync(join(path, "summary.json"), '{"status":"stopped","steps":200}');
    expect(
      (await json<RunListing>("/api/runs")).runs.map(({ name, state }) => `${name} ${state}`).sort(),
    ).toEqual(["a stopped", "b finished"]);
  });
});

describe("nothing outside of the folder is read", () => {
  it("by a name", async () => {
    const root = folder();
    const inner = join(root, "runs");
    writeRun(inner, "fine");
    writeRun(root, "secret");
    const { ask } = asking(inner);
    for (const name of ["..%2Fsecret", "..", "%2e%2e", ".deleted", "fine%2F..%2F..%2Fsecret", "%00"])
      expect((await ask(`/api/runs/${name}`)).status, name).toBeGreaterThanOrEqual(400);
    expect((await ask("/api/runs/fine")).status).toBe(200);
  });

  it("by a link", async () => {
    const root = folder();
    const inner = join(root, "runs");
    mkdirSync(inner);
    writeRun(root, "secret");
    symlinkSync(join(root, "secret"), join(inner, "linked"));
    const path = writeRun(inner, "sly");
    symlinkSync("/etc", join(path, "episodes"));
    symlinkSync("/etc/passwd", join(path, "transcripts.jsonl"));
    truncateSync(join(path, "metrics.jsonl"));
    const { ask, json } = asking(inner);
    expect((await json<RunListing>("/api/runs")).runs.map(({ name }) => name)).toEqual(["sly"]);
    expect((await ask("/api/runs/linked")).status).toBe(404);
    expect(await json("/api/runs/sly/episodes")).toEqual([]);
    expect((await ask("/api/runs/sly/episodes/1")).status).toBe(422);
    expect((await ask("/api/runs/sly/transcripts")).status).toBe(422);
    const other = writeRun(inner, "config-link");
    writeFileSync(join(root, "outside.json"), '{"format":1,"algorithm":"outside"}');
    rmSync(join(other, "config.json"));
    symlinkSync(join(root, "outside.json"), join(other, "config.json"));
    expect(await json("/api/runs/config-link")).toMatchObject({ state: "unreadable", algorithm: "" });
  });
});

it("nothing outside of the folder is deleted, where .deleted is a link", async () => {
  const [root, outside] = [folder(), folder()];
  writeRun(root, "a");
  mkdirSync(join(outside, "precious"));
  symlinkSync(outside, join(root, ".deleted"));
  const { ask, json } = asking(root);
  expect((await json<RunListing>("/api/runs")).deleted).toEqual([]);
  expect((await ask("/api/deleted/precious", { method: "DELETE" })).status).toBe(404);
  expect((await ask("/api/deleted/precious", { method: "POST" })).status).toBe(404);
  expect((await ask("/api/runs/a", { method: "DELETE" })).status).toBe(422);
  expect([existsSync(join(outside, "precious")), existsSync(join(root, "a"))]).toEqual([true, true]);
});

describe("only the studio's page may send requests", () => {
  it("by a name of this machine", async () => {
    const { ask } = asking(folder());
    expect((await ask("/api/runs", { headers: { host: "evil.example" } })).status).toBe(403);
    expect((await ask("/api/runs", { headers: { host: "127.0.0.1.evil.example:4680" } })).status).toBe(403);
    expect((await ask("/api/runs")).status).toBe(200);
  });

  it("and from its own address", async () => {
    const root = folder();
    writeRun(root, "a");
    const { ask } = asking(root);
    const remove = (headers: Record<string, string>) => ask("/api/runs/a", { method: "DELETE", headers });
    expect((await remove({ origin: "http://evil.example" })).status).toBe(403);
    expect((await remove({ origin: "null" })).status).toBe(403);
    expect((await remove({ "sec-fetch-site": "cross-site" })).status).toBe(403);
    for (const site of ["cross-site", "same-site"])
      expect((await ask("/api/runs", { headers: { "sec-fetch-site": site } })).status).toBe(403);
    for (const site of ["same-origin", "none"])
      expect((await ask("/api/runs", { headers: { "sec-fetch-site": site } })).status).toBe(200);
    expect(existsSync(join(root, "a"))).toBe(true);
    expect((await remove({ origin: "http://127.0.0.1:4680" })).status).toBe(200);
    expect(existsSync(join(root, "a"))).toBe(false);
  });

  it("and no script of a run is executed", async () => {
    const policy = (await asking(folder()).ask("/api/runs")).headers.get("content-security-policy");
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain(" 'unsafe-eval'");
  });
});

describe("a log", () => {
  const stretch = async (root: string, query: string) => {
    const answer = await asking(root).ask(`/api/runs/a/columns/metrics?${query}`);
    const bytes = await answer.arrayBuffer();
    const length = new DataView(bytes).getUint32(0, true);
    const head = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
    const columns = head.names.map((_: string, i: number) => [
      ...new Float64Array(bytes, 4 + length + i * head.rows * 8, head.rows),
    ]);
    return { ...head, columns };
  };

  it("is read incrementally", async () => {
    const root = folder();
    const path = join(writeRun(root, "a"), "metrics.jsonl");
    const first = await stretch(root, "from=0&name=return/mean");
    expect(first).toMatchObject({
      names: ["step", "return/mean"],
      columns: [
        [100, 200],
        [10, 20],
      ],
      more: false,
    });
    appendFileSync(
      path,
      '{"step":300,"return/mean":"NaN"}\n{"step":400,"return/mean":"-Infinity"}\n{"step":50',
    );
    const next = await stretch(root, `from=${first.next}&mark=${first.mark}&name=return/mean`);
    expect(next).toMatchObject({
      anew: false,
      columns: [
        [300, 400],
        [Number.NaN, Number.NEGATIVE_INFINITY],
      ],
    });
    appendFileSync(path, '0,"return/mean":5}\n');
    const last = await stretch(root, `from=${next.next}&mark=${next.mark}&name=return/mean`);
    expect(last.columns).toEqual([[500], [5]]);
  });

  it("is read again after it was truncated and continued", async () => {
    const root = folder();
    const path = writeRun(root, "a");
    const first = await stretch(root, "from=0&name=x");
    writeRun(root, "a", {
      rows: [
        { step: 100, x: 1 },
        { step: 150, x: 2 },
        { step: 250, x: 3 },
        { step: 260, x: 4 },
      ],
    });
    expect(existsSync(path)).toBe(true);
    const again = await stretch(root, `from=${first.next}&mark=${first.mark}&name=x`);
    expect(again).toMatchObject({
      anew: true,
      columns: [
        [100, 150, 250, 260],
        [1, 2, 3, 4],
      ],
    });
  });

  it("may have invalid lines", async () => {
    const root = folder();
    const path = join(writeRun(root, "a"), "metrics.jsonl");
    appendFileSync(path, 'nonsense\n[1,2]\n{"step":"x"}\n{"step":300,"return/mean":{"a":1}}\n\n');
    const read = await stretch(root, "from=0&name=return/mean");
    expect(read).toMatchObject({
      damaged: 4,
      columns: [
        [100, 200, 300],
        [10, 20, absent],
      ],
    });
    const after = `from=${read.next}&mark=${read.mark}&name=return/mean`;
    expect(await stretch(root, after)).toMatchObject({ anew: false, rows: 0 });
    // A replaced log is read from the beginning.
    const other = Array.from({ length: 20 }, (_, i) => ({ step: i, "return/mean": i }));
    writeRun(root, "a", { rows: other });
    expect(await stretch(root, after)).toMatchObject({ anew: true, rows: 20 });
  });

  it("is sent in parts if rows are short and names many", async () => {
    const root = folder();
    writeRun(root, "a", { rows: Array.from({ length: 4000 }, (_, step) => ({ step })) });
    const names = "&name=a".repeat(400);
    const first = await stretch(root, `from=0${names}`);
    expect([first.rows, first.more]).toEqual([Math.ceil((1 << 20) / 401), true]);
    const rest = await stretch(root, `from=${first.next}&mark=${first.mark}${names}`);
    expect([first.rows + rest.rows, rest.anew, rest.more]).toEqual([4000, false, false]);
  });

  it("may have a line that is too long", async () => {
    const root = folder();
    const path = join(writeRun(root, "a"), "metrics.jsonl");
    appendFileSync(path, `${"x".repeat(5 << 20)}\n{"step":300,"return/mean":3}\n`);
    const found: number[] = [];
    let [from, mark, more, rounds] = [0, "", true, 0];
    while (more && rounds++ < 20) {
      const read = await stretch(root, `from=${from}&mark=${mark}&name=return/mean`);
      found.push(...read.columns[1]);
      ({ next: from, more } = read);
      mark = read.mark === null ? "" : `${read.mark}`;
    }
    expect(found).toEqual([10, 20, 3]);
  });
});

describe("a run", () => {
  it("has details and the command that reproduces it", async () => {
    const root = folder();
    writeRun(root, "a", {
      config: { options: { clip: { $number: "Infinity" }, lr: { signal: "linear", from: 1, to: 0 } } },
    });
    const run = await asking(root).json<RunDetail>("/api/runs/a");
    expect(run.config.options).toEqual({ clip: "Infinity", lr: { signal: "linear", from: 1, to: 0 } });
    expect(run.metrics.map(({ name }) => name)).toEqual(["return/mean", "episodes"]);
    expect(run.metrics[0].about).toContain("Mean return");
    expect([run.reproduce, run.goOn]).toEqual([undefined, undefined]);
  });

  it("resumes from its checkpoints, or from its agent without them", async () => {
    const root = folder();
    const path = writeRun(root, "it's a", { config: { command: "reins train ppo CartPole-v1" } });
    const read = () => asking(root).json<RunDetail>(`/api/runs/${encodeURIComponent("it's a")}`);
    writeFileSync(join(path, "last.agent"), "");
    const near = relative("", path).replace("'", "'\\''");
    expect((await read()).goOn).toBe(`npx reins train --from '${join(near, "last.agent")}'`);
    mkdirSync(join(path, "checkpoints", "200"), { recursive: true });
    expect(await read()).toMatchObject({
      ...{ goOn: `npx reins resume '${near}'`, reproduce: "reins train ppo CartPole-v1" },
    });
  });

  it("has a sparkline without reading the whole log", async () => {
    const root = folder();
    const rows = Array.from({ length: 20_000 }, (_, i) => ({ step: i, "return/mean": i }));
    writeRun(root, "a", { rows });
    const spark = await asking(root).json<number[]>("/api/runs/a/spark");
    expect(spark.length).toBe(48);
    expect(spark).toEqual([...spark].sort((a, b) => a - b));
    expect(spark.at(-1)).toBe(19_999);
  });

  it("has notes and tags", async () => {
    const root = folder();
    writeRun(root, "a");
    const { ask, json } = asking(root);
    const write = (body: unknown) =>
      ask("/api/runs/a/marks", {
        method: "PUT",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
      });
    expect((await write({ tags: ["best", " best ", ""], note: "<b>good</b>" })).status).toBe(200);
    expect((await json<RunListing>("/api/runs")).runs[0]).toMatchObject({
      tags: ["best"],
      note: "<b>good</b>",
    });
    // Another page, without the tag, writes a note.
    expect(await (await write({ note: "better" })).json()).toEqual({
      ...{ tags: ["best"], note: "better", version: 2 },
    });
    expect((await json<RunDetail>("/api/runs/a")).notesVersion).toBe(2);
    expect((await write({ tags: "x" })).status).toBe(400);
    expect((await write({ tags: [], note: "x".repeat(200_000) })).status).toBe(413);
    expect((await write("x".repeat(300_000))).status).toBe(413);
  });

  it("does not overwrite notes that were saved after they were read", async () => {
    const root = folder();
    writeRun(root, "a");
    const { ask, json } = asking(root);
    const write = (note: string, version: number) =>
      ask("/api/runs/a/marks", {
        method: "PUT",
        body: JSON.stringify({ note, version }),
        headers: { "content-type": "application/json" },
      });
    // Two pages have read version 0 and save at the same time.
    const both = await Promise.all([write("mine", 0), write("yours", 0)]);
    expect(both.map(({ status }) => status)).toEqual([200, 409]);
    expect(await both[1].json()).toEqual({ error: expect.stringContaining("changed elsewhere") });
    expect(await json<RunDetail>("/api/runs/a")).toMatchObject({ note: "mine", notesVersion: 1 });
    expect((await write("yours", 1)).status).toBe(200);
  });

  it("is deleted and restored", async () => {
    const root = folder();
    writeRun(root, "a");
    const { ask, json } = asking(root);
    await ask("/api/runs/a", { method: "DELETE" });
    expect(await json<RunListing>("/api/runs")).toMatchObject({ runs: [], deleted: ["a"] });
    writeRun(root, "a");
    expect((await ask("/api/runs/a", { method: "DELETE" })).status).toBe(409);
    expect((await ask("/api/deleted/a", { method: "POST" })).status).toBe(409);
    expect((await ask("/api/deleted/a", { method: "DELETE" })).status).toBe(200);
    await ask("/api/runs/a", { method: "DELETE" });
    const twice = await Promise.all([1, 2].map(() => ask("/api/deleted/a", { method: "POST" })));
    expect(twice.map(({ status }) => status).sort()[0]).toBe(200);
    expect(await twice[1].text()).not.toContain(root);
    expect((await json<RunListing>("/api/runs")).runs.length).toBe(1);
    expect((await ask("/api/deleted/..%2f..", { method: "DELETE" })).status).toBe(404);
  });

  it("receives commands", async () => {
    const root = folder();
    writeRun(root, "a");
    const commands: unknown[] = [];
    const ask = async (path: string, order: unknown) => {
      commands.push([path, order]);
      if ((order as { do: string }).do === "stop") throw new Error(`${path}: the run is not training`);
      return { done: "waits", state: {} as never };
    };
    const order = (what: object, parts = { control: ask }) =>
      asking(root, parts).ask("/api/runs/a/command", { method: "POST", body: JSON.stringify(what) });
    expect(await (await order({ do: "pause" })).json()).toEqual({ done: "waits", state: {} });
    expect(commands).toEqual([[join(root, "a"), { do: "pause" }]]);
    const refused = await order({ do: "stop" });
    expect([refused.status, await refused.json()]).toEqual([409, { error: "the run is not training" }]);
    expect((await order({ do: "go" }, {} as never)).status).toBe(409);
  });
});

/** The fields of a transcript that the list does not show. */
const details = {
  ...{ first: "^", tokens: ["4"], makers: ["policy"], turns: [1], logProbs: [-0.1], rewards: [1] },
  segments: [{ from: 0, to: 1 }],
};

it("lists new transcripts, and reads them individually", async () => {
  const root = folder();
  const path = join(writeRun(root, "a"), "transcripts.jsonl");
  const line = (step: number, reward: number | string) =>
    `${JSON.stringify({ version: 1, step, prompt: "2+2", answer: "4", by: "policy", reward, task: "sum", ...details })}\n`;
  writeFileSync(path, `${line(1, 0)}torn\n{"version":9}\n${line(2, 1)}{"version":1,`);
  const { ask, json } = asking(root);
  expect((await json<{ step: number }[]>("/api/runs/a/transcripts")).map(({ step }) => step)).toEqual([1, 2]);
  writeFileSync(path, `${line(1, 0)}torn\n{"version":9}\n${line(2, 1)}${line(3, "NaN")}`);
  expect(await json("/api/runs/a/transcripts")).toMatchObject([
    { reward: 0 },
    { reward: 1 },
    { step: 3, reward: null },
  ]);
  expect(await json("/api/runs/a/transcripts/1")).toMatchObject({ step: 2, tokens: ["4"] });
  expect((await ask("/api/runs/a/transcripts/7")).status).toBe(404);
});

it("a request without the token is refused, with the way to open the studio", async () => {
  const app = studioApp(folder(), {}, { hosts: new Set(), anyHost: true, token: "secret-word" });
  const ask = (path: string, headers: Record<string, string> = {}) =>
    app.request(path, { headers: { host: "box:4680", ...headers } });
  const refused = await ask("/api/runs");
  expect([refused.status, await refused.json()]).toEqual([
    401,
    { error: expect.stringContaining("run `reins studio --open`") },
  ]);
  const page = await ask("/?token=wrong");
  expect(page.status).toBe(401);
  expect(page.headers.get("content-type")).toContain("text/html");
  expect(await page.text()).toContain("<code>reins studio --open</code>");
  expect(page.headers.get("referrer-policy")).toBe("no-referrer");
  const linked = await ask("/?token=secret-word", { "sec-fetch-site": "cross-site" });
  expect([linked.status, linked.headers.get("set-cookie")]).toEqual([
    200,
    expect.stringContaining("reins-studio-4680="),
  ]);
  const entered = await ask("/?token=secret-word");
  expect(entered.status).toBe(302);
  const cookie = entered.headers.get("set-cookie")!;
  expect(cookie).toContain("HttpOnly");
  expect(cookie).toContain("SameSite=Strict");
  expect((await ask("/api/runs", { cookie: cookie.split(";")[0] })).status).toBe(200);
  expect((await ask("/api/runs", { authorization: "Bearer secret-word" })).status).toBe(200);
  const old = `${cookie.split("=")[0]}=old`;
  expect((await ask("/api/runs", { authorization: "Bearer secret-word", cookie: old })).status).toBe(200);
  // Another studio on this machine has its own cookie.
  expect(cookie).toMatch(/^reins-studio-4680=/);
});

it("reads events from the rows of a log", async () => {
  const root = folder();
  const path = join(writeRun(root, "a"), "metrics.jsonl");
  const { json } = asking(root);
  expect(await json("/api/runs/a/events")).toEqual([]);
  appendFileSync(
    path,
    '{"step":300,"evaluation/return":12,"evaluation/length":"NaN"}\n{"step":310,"setting/clip":0.1}\n',
  );
  appendFileSync(path, '{"step":320,"return/mean":3,"setting/clip":0.1}\n');
  expect(await json("/api/runs/a/events")).toEqual([
    { step: 300, kind: "measured", values: { return: 12, length: null } },
    { step: 310, kind: "changed", values: { clip: 0.1 } },
  ]);
});

it("reads transcripts correctly in concurrent requests and after a truncation", async () => {
  const root = folder();
  const path = join(writeRun(root, "a"), "transcripts.jsonl");
  const lines = (...steps: number[]) =>
    steps
      .map((step) => `${JSON.stringify({ version: 1, step, prompt: `of ${step}`, ...details })}\n`)
      .join("");
  const { json } = asking(root);
  const steps = async () =>
    (await json<{ step: number }[]>("/api/runs/a/transcripts")).map(({ step }) => step);
  writeFileSync(path, lines(1, 2, 3));
  expect(await Promise.all([steps(), steps()])).toEqual([
    [1, 2, 3],
    [1, 2, 3],
  ]);
  // Truncated and continued between two requests: the file is longer than before.
  writeFileSync(path, lines(1, 20, 30, 40));
  expect(await steps()).toEqual([1, 20, 30, 40]);
  expect(await json("/api/runs/a/transcripts/3")).toMatchObject({ prompt: "of 40" });
});
