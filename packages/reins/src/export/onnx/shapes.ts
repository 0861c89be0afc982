import type { Dim, Step } from "../graph.ts";
import type { Writer } from "./writer.ts";

/** Writes one operation and returns the name of its result. */
export type WriteOperation = (w: Writer, step: Step) => string;

/** Beyond the end of every axis. */
export const beyond = 2 ** 31 - 1;

/** The shape of a step. */
export const shapeOf = (w: Writer, step: number): readonly Dim[] => w.steps[step].shape;

/** Writes a Reshape; with at most one unknown extent, the shape is a constant. */
export function reshaped(w: Writer, name: string, shape: readonly Dim[]): string {
  const open = shape.filter((d) => typeof d !== "number").length;
  return w.add("Reshape", [
    name,
    w.vector(open === 1 ? shape.map((d) => (typeof d === "number" ? d : -1)) : shape),
  ]);
}
