/** `@reins/core/signals`: makers of signals: schedules (`linear`, `cosine`, …), controllers (`pi`, `dual`, …) and columns. */
export * from "../signal.ts";
