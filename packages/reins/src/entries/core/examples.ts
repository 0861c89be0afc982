/** `reins/core/examples`: recorded examples from files and arrays: reading, splitting, combining. */
export * from "@reins/core/examples";
