/** `reins/core/errors`: parts of error messages: described values, unknown keys, closest names. */
export * from "@reins/core/errors";
