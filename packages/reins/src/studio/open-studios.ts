import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { stateFolder } from "../places/state-folder.ts";

const folder = () => join(stateFolder(), "studios");
const fileOf = (address: string) => join(folder(), `${new URL(address).port}.json`);
/** Beside the runs if there are some: sandboxed browsers cannot read hidden folders of the home folder. */
const pageOf = (address: string, root: string) =>
  join(existsSync(root) ? root : folder(), `.studio-${new URL(address).port}.html`);

/** Stores the URL and token of an open studio in a file that only this user can read. Returns a function that removes it. */
export function noteStudio(address: string, root: string): () => void {
  const file = fileOf(address);
  writePrivately(file, JSON.stringify({ address, root: resolve(root) }));
  return () => {
    for (const own of [file, pageOf(address, root)]) rmSync(own, { force: true });
  };
}

/** URL with token of a studio of this user that is open on a folder of runs. */
export async function openStudioOn(root: string): Promise<string | undefined> {
  for (const { address, root: shown } of notes())
    if (shown === resolve(root) && (await answers(address))) return address;
  return undefined;
}

/** Writes a page, readable by this user only, that redirects to a studio. A browser gets its path: program arguments are visible to other accounts. */
export function pageTo(address: string, root: string): string {
  const file = pageOf(address, root);
  writePrivately(file, `<meta http-equiv="refresh" content="0; url=${address}">\n`);
  return file;
}

function writePrivately(file: string, text: string): void {
  mkdirSync(folder(), { recursive: true, mode: 0o700 });
  // An existing file would keep its mode.
  rmSync(file, { force: true });
  writeFileSync(file, text, { mode: 0o600, flag: "wx" });
}

function notes(): { address: string; root: string }[] {
  try {
    const names = readdirSync(folder()).filter((name) => name.endsWith(".json"));
    return names.map((name) => JSON.parse(readFileSync(join(folder(), name), "utf8")));
  } catch {
    return [];
  }
}

async function answers(address: string): Promise<boolean> {
  const token = new URL(address).searchParams.get("token");
  const headers = { authorization: `Bearer ${token}` };
  const signal = AbortSignal.timeout(2000);
  return fetch(new URL("/", address), { headers, signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}
