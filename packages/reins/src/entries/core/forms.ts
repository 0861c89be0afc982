/** `reins/core/forms`: forms of environments: vectorised, single, multi-agent, traced; goals and checks. */
export * from "@reins/core/forms";
