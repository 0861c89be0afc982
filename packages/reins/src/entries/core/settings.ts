/** `reins/core/settings`: settings and options at run time: live values of signals, checks, usual ranges. */
export * from "@reins/core/settings";
