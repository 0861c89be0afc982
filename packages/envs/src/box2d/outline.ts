import type { Point } from "@reins/core";
import type { Body } from "planck";

/** The corners of a single-polygon body, mapped by `place`. */
export function outline(body: Body, place: (x: number, y: number) => Point): Point[] {
  const shape = body.getFixtureList()?.getShape();
  if (!shape || !("m_vertices" in shape)) return [];
  return (shape.m_vertices as { readonly x: number; readonly y: number }[]).map((corner) => {
    const { x, y } = body.getWorldPoint(corner);
    return place(x, y);
  });
}
