import { Hono } from "hono";
import type { StudioParts } from "./parts.ts";
import type { RecipeListing } from "./recipe-wire.ts";
import { Refusal } from "./refusal.ts";

/** The recipe routes. */
export function recipeRoutes({ recipes }: StudioParts): Hono {
  const app = new Hono();
  app.get("/", async (c) => {
    const noBook: RecipeListing = { recipes: [], missing: "This studio was started without a recipe book." };
    return c.json(recipes ? await recipes.list() : noBook);
  });
  app.get("/:id", async (c) => {
    const found = await recipes?.one(c.req.param("id"));
    if (!found) throw new Refusal(404, `the recipe book has no system ${c.req.param("id")}`);
    return c.json(found);
  });
  return app;
}
