/** A setting that a reader can change before a live run. */
export interface DemoSetting {
  readonly name: string;
  /** The value that the run uses unless it is changed. */
  readonly value: number;
  /** What the setting does. */
  readonly about: string;
}

/** A live run of an algorithm's page. */
export interface Demo {
  readonly algorithm: string;
  readonly env: string;
  readonly steps: number;
  /** What a good return is, in a sentence. */
  readonly goal: string;
  readonly settings: readonly DemoSetting[];
  /** Whether its updates can run on the GPU of the browser. */
  readonly webgpu?: boolean;
}

/** A point of a learning curve. */
export interface CurvePoint {
  readonly step: number;
  readonly value: number;
}

/** What a page asks a training worker for. */
export interface TrainRequest {
  readonly algorithm: string;
  readonly env: string;
  readonly steps: number;
  readonly seed: number;
  readonly settings: Readonly<Record<string, number>>;
  /** Whether updates run on the GPU, if the browser has one. */
  readonly webgpu?: boolean;
}

/** What a training worker reports. */
export type TrainReport =
  | { readonly kind: "progress"; readonly step: number; readonly stepsPerSecond: number }
  | { readonly kind: "point"; readonly step: number; readonly value: number }
  | { readonly kind: "done"; readonly mean: number; readonly episodes: number }
  | { readonly kind: "failed"; readonly reason: string };

/** What a playground worker reports. */
export type PlaygroundReport =
  | { readonly kind: "log"; readonly text: string }
  | { readonly kind: "point"; readonly step: number; readonly value: number }
  /** An episode of the trained agent, as an animated SVG. */
  | { readonly kind: "episode"; readonly svg: string }
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly reason: string };
