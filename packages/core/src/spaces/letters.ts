import type { Tensor, Tree } from "@reins/tensor";
import type { Text } from "../space.ts";
import { letterRoom } from "./layout.ts";

/** The columns of texts: the two bytes of each UTF-16 code unit, the lower one first, and the length. */
interface LetterColumns {
  readonly letters: Tensor;
  readonly count: Tensor;
}
const columnsOf = (columns: Tree) => columns as Tree & LetterColumns;

/** Writes a text into one slot of its columns; padding becomes zeros. */
export function putLetters(space: Text, columns: Tree, slot: number, text: string): void {
  const { letters, count } = columnsOf(columns);
  const room = 2 * letterRoom(space);
  const at = slot * room;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    letters.data[at + 2 * i] = unit & 255;
    letters.data[at + 2 * i + 1] = unit >> 8;
  }
  letters.data.fill(0, at + 2 * text.length, at + room);
  count.data[slot] = text.length;
}

/** The text in one slot of its columns. */
export function readLetters(space: Text, columns: Tree, slot: number): string {
  const { letters, count } = columnsOf(columns);
  const at = 2 * slot * letterRoom(space);
  let text = "";
  for (let i = 0; i < count.data[slot]; i++)
    text += String.fromCharCode(letters.data[at + 2 * i] + 256 * letters.data[at + 2 * i + 1]);
  return text;
}
