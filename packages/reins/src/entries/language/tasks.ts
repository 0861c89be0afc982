/** `reins/language/tasks`: language tasks by name. */
export * from "@reins/language/tasks";
