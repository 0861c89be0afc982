import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { root } from "../generator/repository.ts";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".json": "application/json",
};
const compressed = [".html", ".js", ".css", ".svg", ".json", ".txt"];

/** A server of the built site. */
export interface SiteServer {
  readonly address: string;
  close(): void;
}

/** Serves the built site as static hosts do: compressed with Brotli, with files of `assets` cached for good. */
export async function serveSite(dist: string = join(root, "site/dist")): Promise<SiteServer> {
  const bodies = new Map<string, Buffer>();
  const bodyOf = (file: string, brotli: boolean) => {
    const key = `${brotli} ${file}`;
    const text = bodies.get(key) ?? readBody(file, brotli);
    bodies.set(key, text);
    return text;
  };
  const server = createServer(({ url = "/", headers }, response) => {
    const path = decodeURI(new URL(url, "http://localhost").pathname);
    const file = join(dist, path.endsWith("/") ? `${path}index.html` : path);
    if (!file.startsWith(dist) || !existsSync(file)) return void response.writeHead(404).end();
    const type = extname(file);
    const brotli = compressed.includes(type) && /\bbr\b/.test(`${headers["accept-encoding"]}`);
    const body = bodyOf(file, brotli);
    response
      .writeHead(200, {
        "content-type": types[type] ?? "text/plain",
        "content-length": body.length,
        "cache-control": path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
        ...(brotli && { "content-encoding": "br" }),
      })
      .end(body);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A file's bytes; compression is set to a level that a build can afford. */
function readBody(file: string, brotli: boolean): Buffer {
  const bytes = readFileSync(file);
  return brotli ? brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }) : bytes;
}
