import { existsSync, promises as fs } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the built page, relative to the sources, the build and the bundle. */
const places = ["../dist/web", "../web"].map((path) => fileURLToPath(new URL(path, import.meta.url)));
export const pageFolder = places.find((path) => existsSync(join(path, "index.html"))) ?? places[0];

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".png": "image/png",
  ".json": "application/json",
};

/** Content security policy: only scripts of this server. WebAssembly is needed for training in the page. */
export const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self' blob:",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** A file of the page; undefined if it does not exist. Names consist of letters, digits, dots, dashes and slashes. */
export async function assetOf(path: string): Promise<Response | undefined> {
  const name = path === "/" ? "/index.html" : path;
  if (!/^(\/[\w-][\w.-]*)+$/.test(name)) return undefined;
  const bytes = await fs.readFile(join(pageFolder, name)).catch(() => undefined);
  if (!bytes) return undefined;
  const hashed = name.startsWith("/assets/");
  const body = name === "/index.html" ? served(bytes) : new Uint8Array(bytes);
  return new Response(body, {
    headers: {
      "content-type": types[extname(name)] ?? "application/octet-stream",
      "cache-control": hashed ? "public, max-age=31536000, immutable" : "no-cache",
    },
  });
}

/** The page without the mark of a static site. */
const served = (html: Buffer): string => html.toString("utf8").replace(" data-alone", "");
