/** `reins/language`: language models as policies, and problems in words as tasks. */
export * from "@reins/language";
