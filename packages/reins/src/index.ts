/**
 * `reins`: one import for all of Reins. Tensors, gradients and the compiler are exported by name; networks are in the namespace
 * `nn`, because layers and operations share names (`attention`, `conv2d`, `layerNorm`).
 *
 *     import { compile, nn, random } from "reins";
 */

export * as nn from "@reins/nn";
export * from "@reins/tensor";
