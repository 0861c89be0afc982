import { Agent, request } from "node:http";

/** Times of a request in milliseconds, and the tokens of its reply. */
export interface Timing {
  readonly first: number;
  readonly whole: number;
  readonly tokens: number;
}

/** A client with persistent connections. */
export function client(baseURL: string, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const headers = { authorization: "Bearer bench", "content-type": "application/json" };
  /** Sends a request; the first piece of a stream with text counts as its first token. */
  const send = (path: string, body: object): Promise<Timing> =>
    new Promise((done, failed) => {
      const begun = performance.now();
      let [first, text] = [0, ""];
      const outgoing = request(`${baseURL}${path}`, { method: "POST", agent, headers }, (incoming) => {
        incoming.setEncoding("utf8");
        incoming.on("data", (piece: string) => {
          first ||= performance.now() - begun;
          text += piece;
        });
        incoming.on("error", failed);
        incoming.on("end", () => {
          const whole = performance.now() - begun;
          const tokens = /"completion_tokens":(\d+)/.exec(text)?.[1];
          if (incoming.statusCode !== 200 || tokens === undefined)
            failed(new Error(`status ${incoming.statusCode}: ${text.slice(0, 300)}`));
          else done({ first, whole, tokens: Number(tokens) });
        });
      });
      outgoing.on("error", failed);
      outgoing.end(JSON.stringify(body));
    });
  return { send, close: () => agent.destroy() };
}

/** Sends requests from several clients, each as soon as its previous one is answered. */
export async function concurrently(
  clients: number,
  requests: number,
  send: (index: number) => Promise<Timing>,
): Promise<{ readonly timings: Timing[]; readonly seconds: number }> {
  const timings: Timing[] = [];
  let next = 0;
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (next < requests) timings.push(await send(next++));
    }),
  );
  return { timings, seconds: (performance.now() - begun) / 1000 };
}
