import { Hono } from "hono";
import type { StudioParts } from "./parts.ts";
import type { RecipeListing } from "./recipe-wire.ts";
import { Refusal } from "./refusal.ts";

/** What is answered about recipes. */
export function recipeRoutes({ recipes }: StudioParts): Hono {
  const app = new Hono();
  app.get("/", async (c) => {
    const nobody: RecipeListing = { recipes: [], missing: "This studio was opened without a recipe book." };
    return c.json(recipes ? await recipes.list() : nobody);
  });
  app.get("/:id", async (c) => {
    const found = await recipes?.one(c.req.param("id"));
    if (!found) throw new Refusal(404, `there is no system ${c.req.param("id")} in the recipe book`);
    return c.json(found);
  });
  return app;
}
