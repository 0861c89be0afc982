import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Chromium on this machine, or the one named by the variable; undefined if there is none. */
export const chromium = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((file) => file && existsSync(file));

if (!chromium)
  console.warn(
    "Chromium was not found, so browser tests are skipped. Run: apt-get install chromium, or set CHROMIUM to its path.",
  );

/** Answer of the server. */
export interface Reply {
  readonly type: string;
  readonly text: string | Uint8Array;
}

/** Script that posts the page's result, or its error: `done(promise)`. */
export const done =
  'const done = (said) => said.then(String, (e) => "failed: " + e.stack).then((body) => fetch("/done", { method: "POST", body }));';

const flags =
  "--headless=new --no-sandbox --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync --disable-dev-shm-usage --remote-debugging-port=0";

/** Without a GPU, or with one that the CPU emulates. */
const graphics = {
  none: "--disable-gpu",
  emulated: "--enable-unsafe-webgpu --use-webgpu-adapter=swiftshader",
};

/** The current visit. Servers pass requests for `/done` on. */
export class Said {
  /** Ends the visit with a result. */
  finish = (_said: string) => {};
  private readonly said = new Promise<string>((resolve) => {
    this.finish = resolve;
  });

  /** Handles a request for `/done`: its body is the page's result. */
  takes(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.url !== "/done") return false;
    let body = "";
    request.on("data", (part) => (body += part)).on("end", () => this.finish(body));
    response.end();
    return true;
  }

  /** Opens a URL in a new browser, and resolves to the page's result. */
  async at(address: string, milliseconds = 90_000, gpu: keyof typeof graphics = "none"): Promise<string> {
    const profile = mkdtempSync(join(tmpdir(), "reins-chromium-"));
    const chosen = `${flags} ${graphics[gpu]}`.split(" ");
    const browser = spawn(chromium!, [...chosen, `--user-data-dir=${profile}`, address], {
      stdio: "ignore",
      // A process group, so that its children end with it.
      detached: true,
    });
    const ended = new Promise<void>((resolve) => browser.once("exit", () => resolve()));
    browser.once("exit", () => this.finish("failed: the browser ended"));
    const late = setTimeout(() => this.finish("failed: the page sent no result"), milliseconds);
    try {
      return await this.said;
    } finally {
      clearTimeout(late);
      if (browser.exitCode === null && browser.pid !== undefined) process.kill(-browser.pid, "SIGKILL");
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    }
  }
}

/** Opens `path` in a new browser, and resolves to the body that the page posts to `/done`. `isolated` pages may share memory with workers. */
export async function visit(
  reply: (path: string) => Reply | undefined,
  {
    isolated = false,
    milliseconds = 90_000,
    path = "/",
    gpu = "none",
  }: { isolated?: boolean; milliseconds?: number; path?: string; gpu?: keyof typeof graphics } = {},
): Promise<string> {
  const said = new Said();
  const server = createServer((request, response) => {
    if (said.takes(request, response)) return;
    const found = reply(request.url!.replace(/\?.*/, ""));
    response.statusCode = found ? 200 : 404;
    if (found) response.setHeader("Content-Type", found.type);
    if (isolated) {
      response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
      response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
    }
    response.end(found?.text);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  try {
    return await said.at(
      `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
      milliseconds,
      gpu,
    );
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const types: { readonly [ending: string]: string } = {
  html: "text/html",
  js: "text/javascript",
  mjs: "text/javascript",
};

/** Serves a file of a folder. */
export function fileIn(folder: string, path: string): Reply | undefined {
  const file = join(folder, path);
  const type = types[path.split(".").at(-1)!];
  return type && !path.includes("..") && existsSync(file) ? { type, text: readFileSync(file) } : undefined;
}
