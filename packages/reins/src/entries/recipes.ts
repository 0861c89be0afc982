/** `reins/recipes`: the contract of a recipe: a published system beside its baseline. */
export * from "@reins/recipes";
