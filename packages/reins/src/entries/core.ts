/** `reins/core`: the nouns of learning and the loops that join them, for those who write algorithms. */
export * from "@reins/core";
