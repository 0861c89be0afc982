/** Cell contents, with MiniGrid's numbers. */
export const unseen = 0;
export const empty = 1;
export const wall = 2;
export const door = 4;
export const key = 5;
export const ball = 6;
export const box = 7;
export const goal = 8;
export const lava = 9;
/** Number of kinds; floors (3) and agents (10) never appear in a view. */
export const kinds = 11;

/** Colors, with MiniGrid's numbers. */
export const colorNames = ["red", "green", "blue", "purple", "yellow", "grey"] as const;
export const red = 0;
export const green = 1;
export const blue = 2;
export const yellow = 4;
export const grey = 5;
export const colors = colorNames.length;
/** Colors in alphabetical order, in which levels sample them. */
export const drawnColors = Int32Array.of(2, 1, 5, 3, 0, 4);

/** Door states. */
export const open = 0;
export const closed = 1;
export const locked = 2;
export const statuses = 3;

/** Objects that can be carried, in the order in which levels sample them. */
export const things = Int32Array.of(key, ball, box);

/** Column and row offsets of right, down, left and up. */
export const stepX = Int32Array.of(1, 0, -1, 0);
export const stepY = Int32Array.of(0, 1, 0, -1);

/** The name of a kind in a mission. */
export const kindNames: { readonly [kind: number]: string } = {
  [door]: "door",
  [key]: "key",
  [ball]: "ball",
  [box]: "box",
};

/** Whether a cell is transparent. */
export function isClear(kind: number, status: number): boolean {
  return kind !== wall && !(kind === door && status !== open);
}
