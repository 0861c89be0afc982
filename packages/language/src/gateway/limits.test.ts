import { connect } from "node:net";
import { setBackend } from "@reins/tensor";
import { expect, it, onTestFinished } from "vitest";
import { talkOptions } from "../multi-turn/testing.ts";
import type { BodyLimits } from "./body.ts";
import { Gateway } from "./gateway.ts";
import { handler } from "./handler.ts";
import { serveGateway } from "./serve.ts";

setBackend("wasm");

const open = async (body?: BodyLimits) => {
  const gateway = new Gateway({ ...talkOptions(), limit: 8 });
  gateway.open("key", { seed: 1 });
  const served = await serveGateway(gateway, { body });
  onTestFinished(() => served.close());
  return { gateway, url: `${served.baseURL}/chat/completions`, port: Number(new URL(served.baseURL).port) };
};
const headers = { authorization: "Bearer key" };
const fine = JSON.stringify({ model: "reins", messages: [{ role: "user", content: "1" }] });
/** A body without a declared length, counted as it is pulled. */
function endless(pieceBytes: number, pieces = Number.POSITIVE_INFINITY) {
  const piece = new Uint8Array(pieceBytes).fill(0x20);
  const sent = { bytes: 0 };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((done) => setImmediate(done));
      if (sent.bytes >= pieceBytes * pieces) return controller.close();
      sent.bytes += pieceBytes;
      controller.enqueue(piece);
    },
  });
  return { sent, body, duplex: "half" as const };
}

it("a chunked body is rejected at the limit, not at its end", async () => {
  const { url } = await open();
  const { body, duplex, sent } = endless(1 << 20);
  const response = await fetch(url, { method: "POST", headers, body, duplex } as RequestInit);
  expect(response.status).toBe(413);
  expect(await response.text()).toContain("more than 33554432 bytes");
  expect(response.headers.get("connection")).toBe("close");
  expect(sent.bytes).toBeLessThan(128 * 2 ** 20);
  expect((await fetch(url, { method: "POST", headers, body: fine })).status).toBe(200);
});

it("a fetch handler stops reading at the limit", async () => {
  const { gateway } = await open();
  const { body, duplex, sent } = endless(1 << 20);
  const request = new Request("http://localhost/v1/chat/completions", {
    ...{ method: "POST", headers, body, duplex },
  } as RequestInit);
  expect((await handler(gateway)(request)).status).toBe(413);
  expect(sent.bytes).toBeLessThan(40 * 2 ** 20);
});

it("a body of very many values, or with deep arguments of a call, is refused", async () => {
  const { url } = await open();
  const post = async (body: string) => {
    const response = await fetch(url, { method: "POST", headers, body });
    return [response.status, await response.text()] as const;
  };
  const more = (json: string) => fine.replace("{", `{"metadata":${json},`);
  const many = `[${"[],".repeat(1e6)}[]]`;
  expect(await post(more(many))).toEqual([400, expect.stringContaining("more than 500000 values")]);
  // Within a text brackets and commas are none, also behind an escaped quote.
  const text = `\\"${many.slice(0, 900_000)}`;
  expect(await post(more(JSON.stringify({ text })))).toEqual([200, expect.stringContaining("choices")]);
  const deep = `${"[".repeat(1e5)}${"]".repeat(1e5)}`;
  const call = { id: "a", type: "function", function: { name: "f", arguments: deep } };
  const messages = [
    { role: "user", content: "1" },
    { role: "assistant", content: "", tool_calls: [call] },
  ];
  const refused = [400, expect.stringContaining("nested more than 128 levels deep")];
  expect(await post(JSON.stringify({ model: "reins", messages }))).toEqual(refused);
});

/** What a server answers to bytes on a socket that stays open. */
const answerTo = (port: number, text: string) =>
  new Promise<string>((done) => {
    let heard = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (more) => {
      heard += more;
    });
    socket.on("close", () => done(heard));
  });
const head = "POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer key\r\n";

it("a body that stops arriving is rejected, and its connection closed", async () => {
  const { port } = await open({ deadline: 40 });
  expect(await answerTo(port, `${head}content-length: 100\r\n\r\n{"model":`)).toMatch(/^HTTP\/1.1 408 /);
});

it("headers beyond 16 KiB are rejected", async () => {
  const { port } = await open();
  expect(await answerTo(port, `${head}x: ${"x".repeat(20_000)}\r\n\r\n`)).toMatch(/^HTTP\/1.1 431 /);
});

it("a body keeps characters that are split between chunks", async () => {
  const { url } = await open();
  const bytes = new TextEncoder().encode(
    JSON.stringify({ model: "é€😀", messages: [{ role: "user", content: "1" }] }),
  );
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
      controller.close();
    },
  });
  const response = await fetch(url, { method: "POST", headers, body, duplex: "half" } as RequestInit);
  expect(await response.text()).toContain("é€😀");
});
