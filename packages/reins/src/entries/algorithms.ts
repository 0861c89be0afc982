/** `reins/algorithms`: every algorithm, their components, and the table of tuned settings. */
export * from "@reins/algorithms";
