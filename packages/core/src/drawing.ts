/** A point: pixels from the left and from the top. */
export type Point = readonly [x: number, y: number];

/** A color as in CSS: `#rrggbb`. */
export type Color = `#${string}`;

/** One shape of a drawing. Later shapes cover earlier ones. */
export type RenderShape =
  | {
      readonly kind: "line";
      readonly points: readonly Point[];
      readonly width: number;
      readonly color: Color;
    }
  | { readonly kind: "polygon"; readonly points: readonly Point[]; readonly color: Color }
  | { readonly kind: "circle"; readonly center: Point; readonly radius: number; readonly color: Color }
  | {
      readonly kind: "text";
      readonly text: string;
      /** Left end of its baseline. */
      readonly at: Point;
      /** Height of a capital letter. */
      readonly size: number;
      readonly color: Color;
    };

/** A rendering of an environment as plain data, convertible to pixels or SVG. */
export interface Rendering {
  readonly width: number;
  readonly height: number;
  /** White by default. */
  readonly background?: Color;
  readonly shapes: readonly RenderShape[];
}
