export { ppo } from "./ppo.ts";
