import { bundle } from "./bundle.ts";
import { published } from "./workspace.ts";

for (const one of published()) await bundle(one);
