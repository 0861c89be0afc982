import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openStudio } from "./studio.ts";
import { folder, writeRun } from "./testing.ts";

async function opened() {
  const root = folder();
  writeRun(root, "a");
  const studio = await openStudio({ root, port: 0 });
  onTestFinished(() => studio.close());
  const own = { authorization: `Bearer ${studio.token}` };
  const ask = (path: string, init: RequestInit = {}) => fetch(new URL(path, studio.address), init);
  return { root, studio, ask, own };
}

it("a studio on 127.0.0.1 refuses other accounts of the machine", async () => {
  const { root, studio, ask, own } = await opened();
  expect((await ask("/api/runs")).status).toBe(401);
  expect((await ask("/api/runs/a", { method: "DELETE" })).status).toBe(401);
  expect((await ask("/api/runs/a/command", { method: "POST", body: '{"do":"stop"}' })).status).toBe(401);
  expect((await ask("/")).status).toBe(401);
  expect(existsSync(join(root, "a"))).toBe(true);
  const entered = await fetch(studio.address, { redirect: "manual" });
  expect([entered.status, entered.headers.get("location")]).toEqual([302, "/"]);
  const cookie = entered.headers.get("set-cookie")!.split(";")[0];
  expect((await ask("/api/runs", { headers: { cookie } })).status).toBe(200);
  expect((await ask("/api/runs", { headers: own })).status).toBe(200);
});

it("refuses a chunked body above the limit", async () => {
  const { ask, own } = await opened();
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((done) => setImmediate(done));
      sent += 1 << 16;
      controller.enqueue(new Uint8Array(1 << 16).fill(0x20));
    },
  });
  const init = { method: "PUT", headers: own, body, duplex: "half" };
  const response = await ask("/api/runs/a/marks", init);
  expect(response.status).toBe(413);
  expect(sent).toBeLessThan(64 << 20);
  expect((await ask("/api/runs", { headers: own })).status).toBe(200);
});
