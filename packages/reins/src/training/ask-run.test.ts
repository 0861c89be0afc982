import { symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { folder } from "../cli/testing.ts";
import { askRun } from "./ask-run.ts";
import { channelAt } from "./channel.ts";

/** A server at the address of a run's channel, and the lines that it received. */
async function listening(answer: (socket: Socket) => void): Promise<{ at: string; heard: string[] }> {
  const [at, heard] = [folder(), [] as string[]];
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (text) => {
      heard.push(`${text}`);
      answer(socket);
    });
  });
  await new Promise<void>((ready) => server.listen(channelAt(at), ready));
  onTestFinished(() => void server.close());
  return { at, heard };
}

const state = { steps: 1, budget: 2, paused: false, settings: {}, metrics: {} };

it("accepts the answer of a run", async () => {
  const { at } = await listening((socket) => socket.write(`${JSON.stringify({ done: "", state })}\nmore`));
  expect(await askRun(at, { do: "status" })).toEqual({ done: "", state });
});

it("refuses answers that are not those of a run", async () => {
  for (const text of [
    "HTTP/1.1 400 Bad Request",
    "null",
    "7",
    '{"done":"stops"}',
    '{"done":"","state":[]}',
  ]) {
    const { at } = await listening((socket) => socket.write(`${text}\n`));
    await expect(askRun(at, { do: "status" }), text).rejects.toThrow("another program answers");
  }
});

it("refuses an endless answer", async () => {
  const { at } = await listening((socket) => socket.write("x".repeat(2 << 20)));
  await expect(askRun(at, { do: "status" })).rejects.toThrow("exceeds");
});

it("times out without an answer", async () => {
  const { at } = await listening(() => {});
  await expect(askRun(at, { do: "stop" }, { patience: 50 })).rejects.toThrow("no answer after 0.05 s");
});

it.skipIf(process.platform === "win32")("sends nothing to a file or a link", async () => {
  const { at: other, heard } = await listening((socket) => socket.write("{}\n"));
  const linked = folder();
  symlinkSync(channelAt(other), join(linked, "control.sock"));
  const file = folder();
  writeFileSync(join(file, "control.sock"), "");
  for (const at of [linked, file]) await expect(askRun(at, { do: "stop" })).rejects.toThrow("not a socket");
  expect(heard).toEqual([]);
});
