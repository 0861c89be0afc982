import { fail } from "@reins/core";
import {
  type EmbeddingParams,
  embedding,
  type Gpt,
  type GptApplyOptions,
  type GptParams,
  type GptState,
  type GptStepOptions,
  init,
  type MlpParams,
  mlp,
  type RecurrentStep,
  type TokenEmbeddings,
} from "@reins/nn";
import {
  add,
  and,
  cast,
  cumsum,
  eq,
  gather,
  iota,
  lt,
  maximum,
  minimum,
  permute,
  random,
  reshape,
  slice,
  squeeze,
  stack,
  sub,
  type Tensor,
} from "@reins/tensor";
import type { LanguageModel } from "./language-model.ts";

/** Settings of {@link withPatches}. */
export interface PatchOptions {
  /** Height and width of a patch in cells. Smaller is finer and makes longer prompts (1 to 16). */
  readonly patch: readonly [height: number, width: number];
  /** Numbers per cell. */
  readonly channels: number;
  /** The placeholder token that patches replace, in order. */
  readonly token: number;
  /** Maximum rows and columns of patches in an image. */
  readonly grid: readonly [rows: number, columns: number];
  /** Width of a hidden layer of the projection (default: a linear projection). */
  readonly hidden?: number;
}

/** A decoder's parameters, the patch projection, and the embeddings of the grid's rows and columns. */
export type ImageParams = GptParams & {
  patches: { project: MlpParams; rows: EmbeddingParams; columns: EmbeddingParams };
};

/** Images cut into patches. */
export type PatchBatch = {
  /** [batch, patches, features]; patches of several images are concatenated. */
  patches: Tensor;
  /** Row and column of each patch in its image: i32 [patches, 2], or [batch, patches, 2]. */
  places: Tensor;
  /** Whether patches are aligned with tokens, [batch, time, …]; tokens with a negative place have no patch. */
  aligned?: boolean;
};

/** Options of a decoder, with images among the tokens. */
export interface ImageApplyOptions extends GptApplyOptions {
  images?: PatchBatch;
}

/** A decoder that reads images. A placeholder without a patch is an ordinary token. */
export interface ImageGpt extends Gpt {
  /** Settings of the image encoder. */
  readonly patches: PatchOptions;
  init(key: Tensor): ImageParams;
  apply(params: ImageParams, tokens: Tensor, options?: ImageApplyOptions): Tensor;
  hidden(params: ImageParams, tokens: Tensor, options?: ImageApplyOptions): Tensor;
  /** Like {@link Gpt.step}; the images belong to these tokens. */
  step(
    params: ImageParams,
    tokens: Tensor,
    state: GptState,
    options?: Pick<ImageApplyOptions, "images"> & GptStepOptions,
  ): RecurrentStep<GptState>;
}

/** A model that reads images. */
export interface ImageModel extends LanguageModel {
  readonly model: ImageGpt;
  readonly params: ImageParams;
}

/**
 * Adds an image encoder to a model: patches are projected to its width and replace placeholder tokens (Liu et al.,
 * 2023).
 */
export function withPatches(start: LanguageModel, options: PatchOptions, key: Tensor): ImageModel {
  const { patch, channels, token, grid, hidden } = options;
  const { width, vocabulary } = start.options;
  if (!(token >= 0 && token < vocabulary))
    fail("withPatches", `token is ${token}; it must be from 0 to ${vocabulary - 1}.`);
  const project = mlp({
    inputs: patch[0] * patch[1] * channels,
    hidden: hidden === undefined ? [] : [hidden],
    outputs: width,
    activation: "gelu",
  });
  const [rows, columns] = grid.map((count) => embedding({ count, width, tableInit: init.normal(0.02) }));
  const fresh = (k: Tensor): ImageParams["patches"] => {
    const [k1, k2, k3] = random.splitKey(k, 3);
    return { project: project.init(k1), rows: rows.init(k2), columns: columns.init(k3) };
  };
  const embed = ({ patches: own }: ImageParams, tokens: Tensor, images: PatchBatch): TokenEmbeddings => {
    const { patches, places, aligned } = images;
    const along = (axis: number) =>
      squeeze(slice(places, [...places.shape.slice(1).map(() => null), [axis, axis + 1] as const]), -1);
    const [row, column] = [0, 1].map((axis) => (aligned ? maximum(along(axis), 0) : along(axis)));
    const where = add(rows.apply(own.rows, row), columns.apply(own.columns, column));
    const vectors = add(project.apply(own.project, patches), where);
    if (aligned) return { at: lt(-1, along(0)), values: vectors };
    const count = patches.shape[1];
    const placeholder = eq(tokens, token);
    const index = sub(cumsum(cast(placeholder, "i32"), -1), 1);
    const held = minimum(maximum(index, 0), count - 1);
    return {
      at: and(placeholder, lt(index, count)),
      values: gather(vectors, reshape(held, [...tokens.shape, 1]), 1),
    };
  };
  const seen = <O extends Pick<GptApplyOptions, "embedded">>(
    params: ImageParams,
    tokens: Tensor,
    how?: O & Pick<ImageApplyOptions, "images">,
  ) => {
    const { images, ...rest } = how ?? {};
    return images ? { ...rest, embedded: embed(params, tokens, images) } : rest;
  };
  const { model } = start;
  return {
    ...start,
    params: { ...start.params, patches: fresh(key) },
    model: {
      ...model,
      patches: options,
      init: (k) => ({ ...model.init(random.foldKey(k, 0)), patches: fresh(random.foldKey(k, 1)) }),
      apply: (params, tokens, how) => model.apply(params, tokens, seen(params, tokens, how)),
      hidden: (params, tokens, how) => model.hidden(params, tokens, seen(params, tokens, how)),
      step: (params, tokens, state, how) => model.step(params, tokens, state, seen(params, tokens, how)),
    },
  };
}

/**
 * Cuts an image [height, width, channels] into patches [patches, features], row by row; batched with a leading axis.
 */
export function cutPatches(image: Tensor, [height, width]: readonly [number, number]): Tensor {
  const [high, wide, channels] = image.shape.slice(-3);
  if (image.rank < 3 || high % height || wide % width)
    fail(
      "cutPatches",
      `an image of shape [${image.shape.join(", ")}] cannot be cut into patches of ${height} × ${width}. Its shape must be [height, width, channels], with height and width multiples of the patch.`,
    );
  const before = image.shape.slice(0, -3);
  const n = before.length;
  const apart = reshape(image, [...before, high / height, height, wide / width, width, channels]);
  const near = permute(apart, [...before.keys(), n, n + 2, n + 1, n + 3, n + 4]);
  return reshape(near, [...before, (high / height) * (wide / width), height * width * channels]);
}

/** Row and column of each patch of an image, i32 [rows × columns, 2], in the order of {@link cutPatches}. */
export function patchPositions(rows: number, columns: number): Tensor {
  const flat = (axis: number) => reshape(iota([rows, columns], axis), [rows * columns]);
  return stack([flat(0), flat(1)], 1);
}
