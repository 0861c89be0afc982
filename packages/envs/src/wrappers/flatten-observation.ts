import { box, fail, type Space, type VectorEnv } from "@reins/core";
import { columns, flatSize, showSpace } from "@reins/core/spaces";
import type { Tensor, Tree } from "@reins/tensor";
import { Wrapper } from "./wrapper.ts";

/**
 * Flattens observations to one row of numbers: choices become one-hot, bytes are scaled to 0 to 1, parts are
 * concatenated.
 */
export function flattenObservation(env: VectorEnv): VectorEnv {
  return new FlatObservation(env);
}

class FlatObservation extends Wrapper {
  private readonly pieces: readonly Piece[];
  private readonly finalPieces: readonly Piece[];

  constructor(inner: VectorEnv) {
    const { observation: space, id } = inner.spec;
    const pieces = piecesOf(space, inner.observation, id);
    const bounds = pieces.map(boundsOfPiece);
    const low = bounds.flatMap((b) => b.low);
    const high = bounds.flatMap((b) => b.high);
    const observation = box([flatSize(space)], low, high);
    super(inner, {
      spec: { observation },
      observation: columns(observation, inner.rows),
      final: columns(observation, inner.rows),
    });
    this.pieces = pieces;
    this.finalPieces = piecesOf(space, inner.final, id);
  }

  protected override parts() {
    const { observation, final } = this;
    return { observation, final };
  }

  protected override begun(): void {
    flattenInto(this.pieces, this.observation as Tensor, this.rows);
  }

  protected override after(): void {
    this.begun();
    flattenInto(this.finalPieces, this.final as Tensor, this.rows);
  }
}

/** A column and how its numbers become features. */
interface Piece {
  readonly space: Space;
  readonly column: Tensor;
  /** Features per number of the column: its choices, or 1 for numeric values. */
  readonly choices: readonly number[];
  readonly start: number;
  readonly scale: number;
}

function piecesOf(space: Space, tree: Tree, id: string): Piece[] {
  const column = tree as Tensor;
  const plain = (count: number, scale = 1) => [
    { space, column, choices: Array<number>(count).fill(1), start: 0, scale },
  ];
  switch (space.kind) {
    case "discrete":
      return [{ space, column, choices: [space.n], start: space.start, scale: 1 }];
    case "multiDiscrete":
      return [{ space, column, choices: space.sizes, start: 0, scale: 1 }];
    case "box":
    case "multiBinary":
    case "simplex":
      return plain(flatSize(space));
    case "image":
      return plain(flatSize(space), 1 / 255);
    case "dict":
      return Object.entries(space.spaces).flatMap(([name, part]) =>
        piecesOf(part, (tree as { readonly [name: string]: Tree })[name], id),
      );
    case "tuple":
      return space.spaces.flatMap((part, i) => piecesOf(part, (tree as readonly Tree[])[i], id));
    default:
      return fail(
        "flattenObservation",
        `${id} observes ${showSpace(space)}, which has no fixed number of values. Use bounded spaces.`,
      );
  }
}

function boundsOfPiece({ space, choices }: Piece): { low: number[]; high: number[] } {
  const count = choices.reduce((a, b) => a + b, 0);
  const all = (bound: number | readonly number[]) =>
    typeof bound === "number" ? Array<number>(count).fill(bound) : [...bound];
  return space.kind === "box"
    ? { low: all(space.low), high: all(space.high) }
    : { low: all(0), high: all(1) };
}

function flattenInto(pieces: readonly Piece[], out: Tensor, rows: number): void {
  const to = out.data;
  let at = 0;
  for (let row = 0; row < rows; row++)
    for (let p = 0; p < pieces.length; p++) {
      const { column, choices, start, scale, space } = pieces[p];
      const from = column.data;
      const hot = space.kind === "discrete" || space.kind === "multiDiscrete";
      for (let i = 0; i < choices.length; i++) {
        const value = from[row * choices.length + i];
        if (!hot) to[at++] = value * scale;
        else for (let c = 0; c < choices[i]; c++) to[at++] = value - start === c ? 1 : 0;
      }
    }
}
