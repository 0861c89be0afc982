import {
  add,
  and,
  eq,
  iota,
  mul,
  permute,
  reshape,
  shr,
  type Tensor,
  take,
  tensor,
  where,
} from "@reins/tensor";
import { colors, empty, kinds, statuses } from "../../grid-worlds/symbols.ts";
import { tileSide, tiles } from "../../grid-worlds/tiles.ts";
import { viewSide } from "../../grid-worlds/view.ts";
import { code } from "./levels.ts";

/** Bytes of a line of pixels in a cell. */
const lineBytes = tileSide * 3;
const agentTile = (kinds - 1) * colors * statuses;

/** A color image, u8 [rows, 56, 56, 3]; the agent's own cell shows the agent, unless it carries something. */
export function pixelsOf(codes: Tensor): Tensor {
  const table = tensor(tiles.slice(), {
    shape: [kinds * colors * statuses, tileSide, lineBytes],
    dtype: "u8",
  });
  const [kind, color, status] = [and(codes, 15), and(shr(codes, 4), 15), shr(codes, 8)];
  const tile = add(mul(add(mul(kind, colors), color), statuses), status);
  const here = and(eq(iota([viewSide, 1]), (viewSide - 1) / 2), eq(iota([1, viewSide], 1), viewSide - 1));
  const shown = where(and(here, eq(codes, code(empty))), agentTile, tile);
  const bytes = take(table, permute(shown, [0, 2, 1]));
  const edge = viewSide * tileSide;
  return reshape(permute(bytes, [0, 1, 3, 2, 4]), [codes.shape[0], edge, edge, 3]);
}
