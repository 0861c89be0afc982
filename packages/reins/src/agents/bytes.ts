import { fail } from "@reins/core";

/** Source of an agent: a path, a URL, or the bytes themselves. */
export type AgentSource = string | URL | Uint8Array | ArrayBuffer;

/** Node's file system, looked up at run time so that bundles for browsers do not contain it. */
const files = () => globalThis.process?.getBuiltinModule?.("node:fs");

const isAddress = (from: string | URL) => /^(https?|data|blob):/.test(String(from));

/** Reads an agent file; `name` is its name in messages. Browsers treat every name as a URL, Node those with a URL scheme. */
export async function bytesOf(from: AgentSource): Promise<{ bytes: Uint8Array; name: string }> {
  if (from instanceof Uint8Array) return { bytes: from, name: "agent" };
  if (from instanceof ArrayBuffer) return { bytes: new Uint8Array(from), name: "agent" };
  if (typeof from !== "string" && !(from instanceof URL))
    fail("loadAgent", "pass the path, URL or bytes of a file that agent.save() wrote.");
  const name = String(from);
  const disk = files();
  if (!disk || isAddress(from)) {
    const broken = (error: unknown) => fail(name, `cannot be fetched (${error}).`);
    const answer = await fetch(from).catch(broken);
    if (!answer.ok)
      fail(name, `cannot be fetched: the server answered ${answer.status} ${answer.statusText}.`);
    const bytes = new Uint8Array(await answer.arrayBuffer().catch(broken));
    // Servers often send a page for missing files. An agent begins with its header length, a much smaller number than these letters.
    if (/^\s*<(!doctype|html)/i.test(new TextDecoder().decode(bytes.subarray(0, 64))))
      fail(name, "the server sent a web page instead of an agent. Check the URL.");
    return { bytes, name };
  }
  try {
    const file = typeof from === "string" && from.startsWith("file:") ? new URL(from) : from;
    return { bytes: await disk.promises.readFile(file), name };
  } catch (error) {
    const { code } = error as { code?: string };
    const why =
      code === "ENOENT"
        ? "there is no such file."
        : code === "EISDIR"
          ? "this is a folder. For a run directory use load(); for an agent, pass its file."
          : (error as Error).message;
    return fail(name, why);
  }
}

/** Number of files written; it makes the names of temporary files unique. */
let drafts = 0;

/** Writes a file atomically, and creates its folder if needed. */
export async function writeBytes(path: string, bytes: Uint8Array): Promise<void> {
  const [disk, paths] = [files(), globalThis.process?.getBuiltinModule?.("node:path")];
  if (!disk || !paths)
    fail("save", "browsers cannot write files. Omit the path and use the bytes that save() returns.");
  const draft = `${path}.${process.pid}-${++drafts}.part`;
  try {
    await disk.promises.mkdir(paths.dirname(path), { recursive: true });
    await disk.promises.writeFile(draft, bytes);
    await disk.promises.rename(draft, path);
  } catch (error) {
    // If writing failed, there may be no temporary file to remove.
    await disk.promises.rm(draft, { force: true }).catch(() => {});
    fail(path, `it cannot be written: ${(error as Error).message}.`);
  }
}
