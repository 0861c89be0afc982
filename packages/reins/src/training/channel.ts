import { createHash } from "node:crypto";
import { chmodSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join, relative, resolve } from "node:path";
import type { RemoteAnswer } from "@reins/core/directory";

/** Name of the socket in a run directory. */
export const channelName = "control.sock";

/** Address of a run's control channel: a socket in its directory that only its owner can open; on Windows a named pipe. */
export function channelAt(folder: string): string {
  const whole = resolve(folder);
  if (process.platform === "win32")
    return `\\\\.\\pipe\\reins-${createHash("sha256").update(whole).digest("hex").slice(0, 32)}`;
  // Socket paths are limited to about 100 bytes, so the shorter one is used.
  const [direct, near] = [join(whole, channelName), join(relative(process.cwd(), whole), channelName)];
  return near.length < direct.length ? near : direct;
}

/** Maximum length of a command, in characters. */
const longest = 65_536;

/**
 * Listens for commands in the run directory: one JSON line per command, one per answer. It does not keep the process alive. If it
 * cannot listen, the run continues without it and warns.
 */
export function openChannel(
  folder: string,
  receive: (command: unknown) => Promise<RemoteAnswer>,
  warn: (message: string) => void,
): () => void {
  const at = channelAt(folder);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.unref();
    socket.setEncoding("utf8");
    let text = "";
    socket.on("data", (more: string) => {
      const lines = (text + more).split("\n");
      text = lines.pop() ?? "";
      if (text.length > longest) socket.destroy();
      for (const line of lines) void answered(line, receive).then((answer) => socket.write(answer));
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  });
  const without = (error: NodeJS.ErrnoException) =>
    warn(`${folder}: the run cannot be controlled from outside (${error.code ?? error.message}).`);
  server.on("error", without);
  server.unref();
  try {
    // The lock is held, so an existing socket was left by a dead process.
    if (process.platform !== "win32") rmSync(at, { force: true });
    const before = process.umask(0o177);
    try {
      server.listen(at);
    } finally {
      process.umask(before);
    }
    if (process.platform !== "win32" && server.listening) chmodSync(at, 0o600);
  } catch (error) {
    without(error as NodeJS.ErrnoException);
  }
  return () => {
    for (const socket of sockets) socket.end();
    server.close();
  };
}

async function answered(line: string, receive: (command: unknown) => Promise<RemoteAnswer>): Promise<string> {
  let command: unknown;
  try {
    command = JSON.parse(line);
  } catch {
    return `${JSON.stringify({ error: "the command is not valid JSON." })}\n`;
  }
  return `${JSON.stringify(await receive(command))}\n`;
}
