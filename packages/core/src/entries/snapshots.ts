/** `@reins/core/snapshots`: saving and restoring state: snapshots of values, arrays and parts. */
export {
  type Interruptible,
  interrupt,
  isNumberArray,
  isSaved,
  type NumberArray,
  numberArrays,
  restore,
  save,
  saving,
} from "../snapshot.ts";
