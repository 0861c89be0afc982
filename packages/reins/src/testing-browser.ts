import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The Chromium of this machine, or the one that the variable names; absent where there is none. */
export const chromium = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((file) => file && existsSync(file));

/** What a browser gets for an address. */
export interface Reply {
  readonly type: "text/html" | "text/javascript";
  readonly text: string;
}

/** What a page says at the end, in whichever way it ends: `done(promise)` in its scripts. */
export const done =
  'const done = (said) => said.then(String, (e) => "failed: " + e.stack).then((body) => fetch("/done", { method: "POST", body }));';

const flags =
  "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync --remote-debugging-port=0";

/** Opens `/` in a browser of its own, and waits for what the page posts to `/done`. `isolated` pages may share memory with workers. */
export async function visit(
  reply: (path: string) => Reply | undefined,
  { isolated = false, milliseconds = 90_000 } = {},
): Promise<string> {
  let finish = (_said: string) => {};
  const said = new Promise<string>((resolve) => {
    finish = resolve;
  });
  const server = createServer((request, response) => {
    if (request.url === "/done") {
      let body = "";
      request.on("data", (part) => (body += part)).on("end", () => finish(body));
      response.end();
      return;
    }
    const found = reply(request.url!);
    response.statusCode = found ? 200 : 404;
    if (found) response.setHeader("Content-Type", found.type);
    if (isolated) {
      response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
      response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
    }
    response.end(found?.text);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const profile = mkdtempSync(join(tmpdir(), "reins-chromium-"));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const browser = spawn(chromium!, [...flags.split(" "), `--user-data-dir=${profile}`, address], {
    stdio: "ignore",
  });
  const ended = new Promise<void>((resolve) => browser.once("exit", () => resolve()));
  const late = setTimeout(() => finish("failed: the page never said that it is done"), milliseconds);
  try {
    return await said;
  } finally {
    clearTimeout(late);
    browser.kill("SIGKILL");
    await ended;
    server.closeAllConnections();
    server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
