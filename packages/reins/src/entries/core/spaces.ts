/** `reins/core/spaces`: functions of spaces: samples, checks, flat vectors, columns, masks, text. */
export * from "@reins/core/spaces";
