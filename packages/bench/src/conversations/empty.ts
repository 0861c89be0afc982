import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { now } from "./clock.ts";

/** Milliseconds per call of an empty server with the same client: the overhead of HTTP. */
export async function emptyServer() {
  const server = createServer((incoming, outgoing) => {
    incoming.resume().on("end", () => {
      outgoing.setHeader("content-type", "application/json");
      outgoing.end('{"choices":[]}');
    });
  });
  await new Promise<void>((done) => {
    server.listen(0, "127.0.0.1", done);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions`;
  const headers = { authorization: "Bearer none", "content-type": "application/json" };
  const body = JSON.stringify({ model: "reins", messages: [{ role: "user", content: "x".repeat(24) }] });
  return {
    async round(calls: number): Promise<number> {
      const start = now();
      for (let i = 0; i < calls; i++)
        JSON.parse(await (await fetch(url, { method: "POST", headers, body })).text());
      return (now() - start) / calls;
    },
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}
