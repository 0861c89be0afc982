import { fail } from "@reins/core";
import type MiniSearch from "minisearch";
import { join, readdir, readFile } from "#node";
import { notInstalled } from "../sandboxes/engines.ts";
import { type Tool, tool } from "./tool.ts";

/** A searchable document. */
export interface Article {
  readonly title?: string;
  readonly text: string;
}

/** Settings of {@link searchTool}. */
export interface SearchOptions {
  /** Documents per result (default 3). */
  readonly results?: number;
  readonly name?: string;
  readonly price?: number;
}

/**
 * Full-text search: BM25 in MiniSearch. A corpus is a list, a function of the environment's state, or a folder of
 * texts.
 */
export function searchTool<S = unknown>(
  corpus: string | readonly Article[] | ((state: S) => readonly Article[]),
  { results = 3, name = "search", price }: SearchOptions = {},
): Tool<never, S> {
  const indexes = new WeakMap<readonly Article[], Promise<Index>>();
  const indexOf = (documents: readonly Article[]) => {
    const known = indexes.get(documents) ?? newIndex(documents);
    indexes.set(documents, known);
    return known;
  };
  let read: Promise<readonly Article[]> | undefined;
  return tool<{ query: string }, S>({
    name,
    about: `Finds up to ${results} documents by their words.`,
    parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
    ...(price === undefined ? {} : { price }),
    async run({ query }, { state }) {
      const documents =
        typeof corpus === "string"
          ? await (read ??= readCorpus(corpus))
          : typeof corpus === "function"
            ? corpus(state)
            : corpus;
      const found = (await indexOf(documents)).search(query).slice(0, results);
      if (found.length === 0) return "nothing";
      return found
        .map(({ id }) => documents[id as number])
        .map(({ title, text }) => (title === undefined ? text : `${title}: ${text}`))
        .join("\n");
    },
  });
}

type Index = MiniSearch<Article & { id: number }>;

async function newIndex(documents: readonly Article[]): Promise<Index> {
  const { default: Search } = await import("minisearch").catch(notInstalled("search", "minisearch"));
  const index = new Search<Article & { id: number }>({ fields: ["title", "text"] });
  index.addAll(documents.map((d, id) => ({ ...d, id })));
  return index;
}

/** The texts of a folder by name. Each non-empty line is a document, so that results are short. */
async function readCorpus(folder: string): Promise<readonly Article[]> {
  const names = (await readdir(folder).catch(() => fail(folder, "the folder does not exist."))).sort();
  const texts = names.filter((n) => /\.(txt|md)$/.test(n));
  if (texts.length === 0) fail(folder, "the folder has no texts (.txt, .md).");
  const all = await Promise.all(
    texts.map(async (n) => {
      const lines = (await readFile(join(folder, n), "utf8")).split("\n");
      const title = n.replace(/\.\w+$/, "");
      return lines.filter((l) => l.trim()).map((text) => ({ title, text: text.trim() }));
    }),
  );
  return all.flat();
}
