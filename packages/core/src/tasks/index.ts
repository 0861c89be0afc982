export { type CurriculumOptions, curriculum } from "./curriculum.ts";
export { type EndlessOptions, endless } from "./endless.ts";
export { uncertain } from "./uncertain.ts";
