/** `@reins/core/spaces`: functions of spaces: samples, checks, flat vectors, columns, masks, text. */
export { check as checkValue, contains } from "../spaces/check.ts";
export { spaceFault } from "../spaces/fault.ts";
export { flatSize, flatten } from "../spaces/flatten.ts";
export { fittingLabels, labelFault } from "../spaces/labels.ts";
export { type Column, columns, type Layout, layoutOf } from "../spaces/layout.ts";
export { choiceSizes, maskFault, maskSize } from "../spaces/mask.ts";
export { sample as sampleValue } from "../spaces/sample.ts";
export { show as showSpace } from "../spaces/show.ts";
export { read as readValue, write as writeValue } from "../spaces/write.ts";
