import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { random } from "@reins/tensor";
import { onTestFinished } from "vitest";
import { saveModel } from "../models/folder.ts";
import { newModel } from "../models/language-model.ts";
import { chatMl } from "../tokenizers/chat.ts";
import type { Tokenizer } from "../tokenizers/tokenizer.ts";
import { engineOptions, type ModelFolder } from "./model-folder.ts";
import { serveModels } from "./serve-models.ts";

const root = process.env.REINS_FIXTURES ?? fileURLToPath(new URL("../../../../fixtures", import.meta.url));

/** Texts are token ids: "12 7 ". */
export const idTokenizer = (size: number): Tokenizer => ({
  size,
  // No token: texts have the requested length.
  end: -1,
  pad: 0,
  encode: (text) => text.trim().split(/\s+/).map(Number),
  decode: (tokens) => [...tokens].map((t) => `${t} `).join(""),
  textOf: (token) => `${token} `,
  bytesOf: (token) => new TextEncoder().encode(`${token} `),
});

/** A Hugging Face folder with a tiny model of random weights, a byte-level tokenizer and a chat template, deleted after the test. */
export async function tinyFolder({ context = 512, template = chatMl } = {}): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "reins-served-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const tokenizer = join(root, "hf", "tokenizer.json");
  const vocabulary = Object.keys(JSON.parse(readFileSync(tokenizer, "utf8")).model.vocab).length;
  const shape = {
    layers: 1,
    width: 16,
    heads: 2,
    context,
    vocabulary,
    style: "llama",
    deviation: 0.3,
  } as const;
  await saveModel(folder, newModel(shape, random.key(3)));
  copyFileSync(tokenizer, join(folder, "tokenizer.json"));
  writeFileSync(
    join(folder, "tokenizer_config.json"),
    JSON.stringify({ eos_token: "<|im_end|>", chat_template: template }),
  );
  return folder;
}

/** A server of a tiny folder, closed after the test. */
export async function servedFolder(given: Partial<ModelFolder> = {}, how: { sample?: boolean } = {}) {
  const folder = given.folder ?? (await tinyFolder());
  const models = await engineOptions({ name: "tiny", rows: 4, ...given, folder });
  const served = await serveModels(models, { key: "secret", ...how });
  onTestFinished(() => served.close());
  const headers = { authorization: "Bearer secret", "content-type": "application/json" };
  const origin = served.baseURL.replace(/\/v1$/, "");
  return {
    ...served,
    folder,
    get: (path: string) => fetch(`${origin}${path}`, { headers }),
    post: (path: string, body: object, signal?: AbortSignal) =>
      fetch(`${origin}${path}`, { method: "POST", headers, body: JSON.stringify(body), signal }),
    /** The value of a series of `/metrics`. */
    async metric(start: string): Promise<number> {
      const text = await (await fetch(`${origin}/metrics`, { headers })).text();
      const line = text.split("\n").find((l) => l.startsWith(start));
      return line === undefined ? Number.NaN : Number(line.slice(line.lastIndexOf(" ")));
    },
  };
}
