/** `@reins/core/errors`: parts of error messages: described values, unknown keys, closest names. */
export {
  checkKeys,
  closestNames,
  DamagedDataError,
  describeValue,
  didYouMean,
  failUnknown,
  isSameName,
} from "../errors.ts";
export { printable } from "../printable.ts";
