import { fail } from "@reins/core";

/** Settings of `lora`, with PEFT's meaning. */
export interface LoraOptions {
  /** Rank of the adapters (PEFT's `r`). Higher can change more and has more parameters (4 to 64; default 8). */
  readonly rank?: number;
  /** Adapters are multiplied by alpha / rank. Higher moves further at the same learning rate (rank to 2 × rank; default 2 × rank). */
  readonly alpha?: number;
  /** Modules with adapters, by PEFT's names: a list such as ["q_proj", "v_proj"], or "all-linear" (the default). `loraTargets(model)` lists them. */
  readonly targets?: string | readonly string[];
  /** Ranks of single modules, by patterns of their names (PEFT's `rank_pattern`). */
  readonly rankPattern?: { readonly [pattern: string]: number };
  /** The alphas of single modules, by patterns of their names (PEFT's `alpha_pattern`). */
  readonly alphaPattern?: { readonly [pattern: string]: number };
  /** Multiplies by alpha / √rank instead: larger ranks move further (rsLoRA; PEFT's `use_rslora`). */
  readonly rankStabilised?: boolean;
  /**
   * Probability with which each input of an adapter is dropped in training (PEFT's `lora_dropout`). Higher memorises less of the
   * examples (0 to 0.1; default 0). Generation and evaluation never drop inputs.
   */
  readonly dropout?: number;
}

/** Settings with defaults filled in; `targets` are names of modules. */
export interface LoraSettings extends LoraOptions {
  readonly rank: number;
  readonly alpha: number;
  readonly targets: readonly string[];
}

/** Throws unless ranks are positive integers and alphas positive numbers. */
export function checkSettings(
  { rank, alpha, rankPattern, alphaPattern, dropout = 0 }: LoraSettings,
  source: string,
): void {
  const ranks = { rank, ...rankPattern };
  for (const [name, value] of Object.entries(ranks))
    if (!(Number.isInteger(value) && value >= 1))
      fail(
        source,
        `the rank${name === "rank" ? "" : ` of "${name}"`} is ${value}; it must be a positive integer.`,
      );
  for (const [name, value] of Object.entries({ alpha, ...alphaPattern }))
    if (!(Number.isFinite(value) && value > 0))
      fail(
        source,
        `the alpha${name === "alpha" ? "" : ` of "${name}"`} is ${value}; it must be a number above 0.`,
      );
  if (!(dropout >= 0 && dropout < 1))
    fail(source, `the dropout is ${dropout}; it must be a number from 0 to below 1.`);
  for (const pattern of Object.keys({ ...rankPattern, ...alphaPattern })) patternOf(pattern, source);
}

/** The rank of the adapter of a module. */
export const rankOf = ({ rank, rankPattern }: LoraSettings, module: string): number =>
  matching(rankPattern, module) ?? rank;

/** The scale of a module's adapter. */
export function scaleOf(settings: LoraSettings, module: string): number {
  const rank = rankOf(settings, module);
  const alpha = matching(settings.alphaPattern, module) ?? settings.alpha;
  return alpha / (settings.rankStabilised ? Math.sqrt(rank) : rank);
}

/** The value of the first pattern that matches the end of a name, at a dot, as in PEFT. */
function matching(patterns: { readonly [pattern: string]: number } = {}, module: string): number | undefined {
  return Object.entries(patterns).find(([pattern]) => patternOf(pattern, "lora").test(module))?.[1];
}

const patternOf = (pattern: string, source: string) => namePattern(pattern, source, "(?:.*\\.)?");

/** A regular expression for whole module names. */
export function namePattern(pattern: string, source: string, prefix = ""): RegExp {
  try {
    return new RegExp(`^${prefix}(?:${pattern})$`);
  } catch (error) {
    return fail(source, `"${pattern}" is not a valid pattern of module names (${(error as Error).message}).`);
  }
}
