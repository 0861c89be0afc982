/** `reins/algorithms`: every algorithm, the parts that they are made of, and the table of tuned settings. */
export * from "@reins/algorithms";
