/** `reins/language`: language models as policies, and language tasks. */
export * from "@reins/language";
