import { statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { claimText, type Entry } from "@reins/recipes";
import {
  builtFile,
  counted,
  levelOf,
  loadEntry,
  type Result,
  readResult,
  resultPath,
  type System,
} from "@reins/recipes/book";
import type { RecipeLine } from "@reins/studio";
import { effectsOf } from "./claims.ts";

/** The fields of a row that come from its result. */
type MeasuredFields = Required<Pick<RecipeLine, "measured">> & Pick<RecipeLine, "level">;

/** Rows of the table. Unchanged results are not read again: some are large. */
export class Lines {
  readonly #known = new Map<
    string,
    { readonly when: number; readonly measured: MeasuredFields | undefined }
  >();
  readonly #book: string;

  constructor(book: string) {
    this.#book = book;
  }

  /** The row of a published system. */
  async of(system: System, file?: string): Promise<RecipeLine> {
    const { id, title, family, kind } = system;
    const head = { id, title, family, isOwn: kind === "own" };
    let measured: MeasuredFields | undefined;
    try {
      measured = this.#measured(id);
    } catch (error) {
      return { ...head, state: "not run", problem: (error as Error).message };
    }
    if (measured) return { ...head, state: measured.measured.claims[0].verdict, ...measured };
    if (file === undefined) return { ...head, state: "to write" };
    const entry = await this.#entry(file);
    return entry?.kind === "mapped"
      ? { ...head, state: "mapped", level: "mapped" }
      : { ...head, state: "not run" };
  }

  /** The row of a recipe without a published system. */
  async ofOwn(id: string, file: string): Promise<RecipeLine> {
    const title = (await this.#entry(file))?.paper ?? id;
    return this.of({ id, title, kind: "own", family: [basename(dirname(file))] }, file);
  }

  /** The description of a recipe; undefined if it cannot be loaded, which its own page reports. */
  #entry(file: string): Promise<Entry | undefined> {
    return (async () => loadEntry(builtFile(this.#book, file)))().catch(() => undefined);
  }

  #measured(id: string): MeasuredFields | undefined {
    const when = statSync(resultPath(this.#book, id), { throwIfNoEntry: false })?.mtimeMs;
    if (when === undefined) return undefined;
    const known = this.#known.get(id);
    if (known?.when === when) return known.measured;
    const result = readResult(this.#book, id);
    const measured = result && measuredIn(result);
    this.#known.set(id, { when, measured });
    return measured;
  }
}

function measuredIn(result: Result): MeasuredFields {
  const { claims, judged, blocks } = result;
  return {
    level: levelOf(undefined, result),
    measured: {
      claims: claims.map((claim, i) => {
        const { verdict } = judged[i];
        const effects = effectsOf(claim, judged[i]);
        // Of several combined claims, the deciding one.
        const effect = effects.find((e) => e.verdict === verdict) ?? effects[0];
        return { text: claimText(claim, result), verdict, effect };
      }),
      seeds: new Set(blocks.slice(0, counted).flatMap((b) => b.replicates)).size,
    },
  };
}
