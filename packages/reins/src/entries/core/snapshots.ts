/** `reins/core/snapshots`: saving and restoring state: snapshots of values, arrays and parts. */
export * from "@reins/core/snapshots";
