import { type Episode, fail, type Rendering, type VectorEnv } from "@reins/core";
import { checkKeys, describeValue } from "@reins/core/errors";
import { PolicyRunner } from "@reins/core/policies";
import { defaultSeed } from "@reins/core/random";
import { checkUsualRange } from "@reins/core/settings";
import type { Agent } from "../agents/agent.ts";
import type { EnvLike } from "../places/source.ts";
import { framesOf } from "./episode-film.ts";
import { gif } from "./gif.ts";
import { png } from "./png.ts";
import { rasterise } from "./raster.ts";
import { svgFilm } from "./svg-film.ts";
import { textDrawing } from "./text-drawing.ts";

/** Image formats. A PNG with several frames is animated (APNG). */
export const imageFormats = ["gif", "png", "apng", "svg"] as const;
/** One of {@link imageFormats}. */
export type ImageFormat = (typeof imageFormats)[number];

/** Options of {@link renderEpisode}. */
export interface ImageOptions {
  /** Image format (default `"gif"`). */
  readonly format?: ImageFormat;
  /** Another environment than that of training. */
  readonly env?: EnvLike;
  /** The same seed gives the same episode (default 0). */
  readonly seed?: number;
  /** Whether to sample actions instead of acting greedily. */
  readonly sample?: boolean;
  /** Maximum steps (default 1000). */
  readonly steps?: number;
  /** Steps between frames (default 1). More makes the file smaller. */
  readonly every?: number;
  /** Frames per second (default 30). */
  readonly fps?: number;
  /** Pixels per unit of the rendering (default 1). */
  readonly scale?: number;
}

const names = Object.keys({
  format: true,
  env: true,
  seed: true,
  sample: true,
  steps: true,
  every: true,
  fps: true,
  scale: true,
} satisfies { readonly [name in keyof Required<ImageOptions>]: true });

/**
 * Renders an episode of an agent, or a recorded one, as the bytes of an animated image.
 *
 *     await writeFile("episode.gif", await picture(agent));
 */
export async function renderEpisode(from: Agent | Episode, options: ImageOptions = {}): Promise<Uint8Array> {
  checkKeys("picture", options, names);
  const recorded = "segments" in from ? replayed(from, options) : undefined;
  const { format = "gif", fps = recorded?.fps ?? 30, scale = 1 } = options;
  if (!imageFormats.includes(format))
    fail("picture", `format is ${describeValue(format)}. Use one of ${imageFormats.join(", ")}.`);
  checkUsualRange("picture", "fps", fps, "positive", 30);
  checkUsualRange("picture", "scale", scale, "positive", 1);
  const drawings = recorded?.drawings ?? (await filmed(from as Agent, options));
  if (format === "svg") return new TextEncoder().encode(svgFilm(drawings, fps));
  // The size of text may grow: all frames have the size of the largest.
  const [width, height] = [
    Math.max(...drawings.map((d) => d.width)),
    Math.max(...drawings.map((d) => d.height)),
  ];
  const frames = drawings.map((drawing) => rasterise({ ...drawing, width, height }, scale));
  return format === "gif" ? gif({ frames, fps }) : png({ frames, fps });
}

/** Frames of a recorded episode. With several steps per frame there are fewer frames per second, so that the speed is the same. */
function replayed(episode: Episode, options: ImageOptions): { drawings: Rendering[]; fps: number } {
  const { every = 1, steps = 1000 } = options;
  for (const name of ["env", "seed", "sample"] as const)
    if (options[name] !== undefined)
      fail("picture", `${name} is for episodes that are played; this one was recorded. Omit it.`);
  checkUsualRange("picture", "steps", steps, "count", 1000);
  checkUsualRange("picture", "every", every, "count", 1);
  const found =
    framesOf(episode) ??
    fail("picture", "the recording has no frames. Record it in an environment with picture() or render().");
  const stride = Math.max(1, Math.round(every / found.every));
  const frames = found.frames.filter((_, i) => i % stride === 0 && i * found.every < steps);
  return {
    drawings: frames.map(({ text, drawing }) => drawing ?? textDrawing(text ?? "")),
    fps: Math.max(2, 30 / (stride * found.every)),
  };
}

/** Renderings of an episode, from its start to the state before its last step. */
async function filmed(agent: Agent, options: ImageOptions): Promise<Rendering[]> {
  const { seed = defaultSeed, sample = false, steps = 1000, every = 1 } = options;
  checkUsualRange("picture", "steps", steps, "count", 1000);
  checkUsualRange("picture", "every", every, "count", 1);
  const env = (await agent.place(options.env)).make(1);
  try {
    const player = new PolicyRunner(agent.current, env, { greedy: !sample, seed });
    await player.reset(seed);
    const drawings: Rendering[] = [];
    for (let step = 0; step < steps; step++) {
      if (step % every === 0) drawings.push(drawingOf(env));
      await player.step();
      if (env.terminated.data[0] || env.truncated.data[0]) break;
    }
    return drawings;
  } finally {
    env.close?.();
  }
}

/** Current rendering of an environment. */
export function drawingOf(env: VectorEnv): Rendering {
  if (env.picture) return env.picture(0);
  if (env.render) return textDrawing(env.render(0));
  return fail(env.spec.id, "it cannot be rendered: it has neither picture() nor render().");
}
