import { symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { folder } from "../cli/testing.ts";
import { askRun } from "./ask-run.ts";
import { channelAt } from "./channel.ts";

/** Something that listens where a run would, and the lines that it was sent. */
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

it("an answer is a line of a run's", async () => {
  const { at } = await listening((socket) => socket.write(`${JSON.stringify({ done: "", state })}\nmore`));
  expect(await askRun(at, { do: "status" })).toEqual({ done: "", state });
});

it("what answers anything else is no run", async () => {
  for (const text of [
    "HTTP/1.1 400 Bad Request",
    "null",
    "7",
    '{"done":"stops"}',
    '{"done":"","state":[]}',
  ]) {
    const { at } = await listening((socket) => socket.write(`${text}\n`));
    await expect(askRun(at, { do: "status" }), text).rejects.toThrow("is no run");
  }
});

it("what answers without end is left", async () => {
  const { at } = await listening((socket) => socket.write("x".repeat(2 << 20)));
  await expect(askRun(at, { do: "status" })).rejects.toThrow("it never ends");
});

it("what does not answer is waited for no longer than asked", async () => {
  const { at } = await listening(() => {});
  await expect(askRun(at, { do: "stop" }, { patience: 50 })).rejects.toThrow("has not answered for 0.05 s");
});

it.skipIf(process.platform === "win32")("what is no socket, or a link to one, is sent nothing", async () => {
  const { at: other, heard } = await listening((socket) => socket.write("{}\n"));
  const linked = folder();
  symlinkSync(channelAt(other), join(linked, "control.sock"));
  const file = folder();
  writeFileSync(join(file, "control.sock"), "");
  for (const at of [linked, file]) await expect(askRun(at, { do: "stop" })).rejects.toThrow("is a link");
  expect(heard).toEqual([]);
});
