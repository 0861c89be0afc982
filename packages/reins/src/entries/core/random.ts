/** `reins/core/random`: reproducible numbers: NumPy's generators, named streams of seeds, exact trigonometry. */
export * from "@reins/core/random";
