/** `@reins/core/settings`: settings and options at run time: live values of signals, checks, usual ranges. */
export { checkNames, checkSize } from "../option.ts";
export { checkUsualRange, type RangeName, ranges, type UsualRange, usualRange } from "../range.ts";
export { formOf, signalForms } from "../signal-form.ts";
export {
  type DeclaredSetting,
  LiveColumn,
  type LiveOf,
  LiveTask,
  LiveValue,
  liveSettings,
  type Scalar,
  type SettingValue,
  settingAt,
  valueOf,
} from "../signals/live.ts";
