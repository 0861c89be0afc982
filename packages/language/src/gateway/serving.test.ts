import { setBackend } from "@reins/tensor";
import { expect, it, vi } from "vitest";
import { servedFolder } from "./testing.ts";

setBackend("wasm");

const ask = (content = "Hello", max_tokens = 8) => ({
  model: "tiny",
  messages: [{ role: "user", content }],
  max_tokens,
});
const path = "/v1/chat/completions";

it("reports its health without a key, and metrics with one", async () => {
  const { baseURL, get, post, metric } = await servedFolder();
  const origin = baseURL.replace(/\/v1$/, "");
  expect(await (await fetch(`${origin}/health`)).json()).toEqual({ status: "ok" });
  expect((await fetch(`${origin}/metrics`)).status).toBe(401);
  await post(path, ask());
  await post(path, ask());
  await post(path, { model: "none" });
  await get("/v1/a-path-of-a-stranger");
  const text = await (await get("/metrics")).text();
  expect(text).toContain('reins_requests_total{path="/v1/chat/completions",status="200"} 2\n');
  expect(text).toContain('reins_requests_total{path="/v1/chat/completions",status="400"} 1\n');
  expect(text).toContain('reins_requests_total{path="other",status="404"} 1\n');
  expect(text).toContain('reins_completion_tokens_total{model="tiny"} 16\n');
  expect(text).toContain('reins_time_to_first_token_seconds_count{model="tiny"} 2\n');
  expect(text).toContain('reins_time_to_first_token_seconds_bucket{model="tiny",le="+Inf"} 2\n');
  // The second prompt is in the prefix cache, except for its last token.
  const prompt = await metric('reins_prompt_tokens_total{model="tiny"}');
  expect(await metric('reins_cached_tokens_total{model="tiny"}')).toBe(prompt / 2 - 1);
  for (const line of text.trim().split("\n"))
    expect(line).toMatch(/^(# (HELP|TYPE) |\w+\{[^}]*\} [\d.e+-]+$)/);
});

it("refuses requests while too many replies wait, and answers again afterwards", async () => {
  const { post, metric } = await servedFolder({ rows: 1, queue: 2 });
  const all = await Promise.all(Array.from({ length: 12 }, () => post(path, ask("Hello", 60))));
  const refused = all.filter((r) => r.status === 429);
  expect(refused.length).toBeGreaterThanOrEqual(1);
  expect(all.filter((r) => r.status === 200).length).toBe(12 - refused.length);
  expect(refused[0].headers.get("retry-after")).toBe("1");
  expect((await refused[0].json()).error).toMatchObject({
    type: "rate_limit_error",
    code: "rate_limit_exceeded",
  });
  expect(await metric('reins_refused_total{model="tiny"}')).toBe(refused.length);
  expect((await post(path, ask())).status).toBe(200);
});

it("stops generating for clients that disconnect, whether they wait or read", async () => {
  const { post, metric } = await servedFolder({ rows: 1, context: 512 });
  await post(path, ask());
  const clients = Array.from({ length: 6 }, () => new AbortController());
  const all = clients.map((c, i) =>
    post(path, { ...ask(`Tell me ${i}`, 400), stream: i % 2 === 0 }, c.signal).then((r) => r.text()),
  );
  const ended = Promise.allSettled(all);
  await vi.waitFor(async () => expect(await metric("reins_queued_replies")).toBeGreaterThan(0));
  for (const c of clients) c.abort();
  expect((await ended).every((r) => r.status === "rejected")).toBe(true);
  await vi.waitFor(async () =>
    expect([await metric("reins_active_replies"), await metric("reins_queued_replies")]).toEqual([0, 0]),
  );
  expect(await metric('reins_requests_total{path="/v1/chat/completions",status="499"}')).toBe(6);
  expect((await post(path, ask())).status).toBe(200);
});

it("finishes replies in progress when it stops, and refuses new ones", async () => {
  const { post, close, baseURL, metric } = await servedFolder();
  await post(path, ask());
  const running = post(path, { ...ask("Hello", 300), stream: true }).then((r) => r.text());
  await vi.waitFor(async () => expect(await metric("reins_active_replies")).toBe(1));
  const closed = close({ grace: 20_000 });
  const refused = await post(path, ask());
  expect([refused.status, (await refused.json()).error.code]).toEqual([503, "server_stopping"]);
  expect((await fetch(baseURL.replace("/v1", "/health"))).status).toBe(503);
  expect(await running).toContain("[DONE]");
  await closed;
  await expect(post(path, ask())).rejects.toThrow();
});
