import { fail } from "@reins/core";

/** Where an agent is read from: a file or an address by name, or the bytes themselves. */
export type AgentSource = string | URL | Uint8Array | ArrayBuffer;

/** Node's files, where this is Node. Asked for at run time, so that bundles for browsers hold no trace of them. */
const files = () => globalThis.process?.getBuiltinModule?.("node:fs");

const isAddress = (from: string | URL) => /^(https?|data|blob):/.test(String(from));

/** The bytes of an agent's file, and what messages call it. In browsers every name is an address; in Node those that begin like one. */
export async function bytesOf(from: AgentSource): Promise<{ bytes: Uint8Array; name: string }> {
  if (from instanceof Uint8Array) return { bytes: from, name: "agent" };
  if (from instanceof ArrayBuffer) return { bytes: new Uint8Array(from), name: "agent" };
  if (typeof from !== "string" && !(from instanceof URL))
    fail("loadAgent", "give it the file that agent.save() wrote: its path, its address or its bytes.");
  const name = String(from);
  const disk = files();
  if (!disk || isAddress(from)) {
    const broken = (error: unknown) => fail(name, `it cannot be fetched (${error}).`);
    const answer = await fetch(from).catch(broken);
    if (!answer.ok)
      fail(name, `it cannot be fetched: the server says ${answer.status} ${answer.statusText}.`);
    const bytes = new Uint8Array(await answer.arrayBuffer().catch(broken));
    // Servers of pages often answer so for what they do not have. An agent begins with the length of its header, which is far below these letters.
    if (/^\s*<(!doctype|html)/i.test(new TextDecoder().decode(bytes.subarray(0, 64))))
      fail(name, "the server gave a web page and no agent: it may have no such file. Look at the address.");
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
          ? "it is a folder. For a run's folder use load(); for an agent, name its file."
          : (error as Error).message;
    return fail(name, why);
  }
}

/** Files written so far: each has a draft of its own, also where two are written to one place at once. */
let drafts = 0;

/** Writes a file, and its folder where there is none; a reader never sees half of it. */
export async function writeBytes(path: string, bytes: Uint8Array): Promise<void> {
  const [disk, paths] = [files(), globalThis.process?.getBuiltinModule?.("node:path")];
  if (!disk || !paths)
    fail("save", "a browser has no files. Leave the path out, and keep the bytes that save() gives.");
  const draft = `${path}.${process.pid}-${++drafts}.part`;
  try {
    await disk.promises.mkdir(paths.dirname(path), { recursive: true });
    await disk.promises.writeFile(draft, bytes);
    await disk.promises.rename(draft, path);
  } catch (error) {
    // Where nothing can be written, there is nothing to take away either.
    await disk.promises.rm(draft, { force: true }).catch(() => {});
    fail(path, `it cannot be written: ${(error as Error).message}.`);
  }
}
