/** `reins/language/tasks`: families of problems in words, by name. */
export * from "@reins/language/tasks";
