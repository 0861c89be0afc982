/** Cascading bandits: users who click the first attractive item of a list, and optimal lists for them. */
export { allLists, bestOf, bestPerm, type ListQuery, type ListResult, listQuery } from "./lists.ts";
export {
  type CascadingMdp,
  type Click,
  cascadingValues,
  clickWorth,
  type ItemList,
  listValue,
  show as showList,
} from "./mdp.ts";
export { type RandomCascadingOptions, randomCascading } from "./random.ts";
