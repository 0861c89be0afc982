import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KeptModule, ModuleStore } from "../wasm/wasm.ts";
import { makeRoom, markUsed, sha256 } from "./cache.ts";
import { cacheDirectory, discard, inTemporary } from "./folder.ts";
import { compilerStamp } from "./notes.ts";

const nameOf = (key: string) => `${sha256(JSON.stringify([key, compilerStamp("wasm")])).slice(0, 40)}.wasm`;

/** Hexadecimal digits of the digest at the beginning of a file. It is followed by the length of the text, a line break, the text and the module. */
const digits = 64;

/** Modules in the cache of compiled libraries, one file each. Damaged and swapped files are removed. Failure to store one is ignored. */
export function moduleStore(): ModuleStore {
  return { find, keep };
}

function find(key: string): KeptModule | undefined {
  let path: string | undefined;
  try {
    const name = nameOf(key);
    const file = join(cacheDirectory(), name);
    if (!existsSync(file)) return undefined;
    path = file;
    const content = readFileSync(path);
    const rest = content.subarray(digits);
    if (content.toString("latin1", 0, digits) !== digestOf(name, rest)) throw new Error("damaged");
    const begin = rest.indexOf("\n") + 1;
    const end = begin + Number(rest.toString("latin1", 0, begin - 1));
    markUsed(path);
    return { text: rest.toString("utf8", begin, end), bytes: new Uint8Array(rest.subarray(end)) };
  } catch {
    if (path) discard(path);
    return undefined;
  }
}

function keep(key: string, { text, bytes }: KeptModule): void {
  try {
    const name = nameOf(key);
    const directory = cacheDirectory();
    const rest = Buffer.concat([Buffer.from(`${Buffer.byteLength(text)}\n${text}`), bytes]);
    inTemporary(directory, (folder) => {
      const temporary = join(folder, "module");
      writeFileSync(temporary, Buffer.concat([Buffer.from(digestOf(name, rest)), rest]), { mode: 0o600 });
      renameSync(temporary, join(directory, name));
    });
    makeRoom(directory);
  } catch {
    // The next process plans again.
  }
}

/** Includes the name: a file under another name would give the wrong program. */
const digestOf = (name: string, rest: Buffer) => sha256(Buffer.concat([Buffer.from(name), rest]));
