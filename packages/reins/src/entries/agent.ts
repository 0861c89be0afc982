/** `reins/agent`: trained agents that act, in a page or anywhere else, without what trained them. */
export { type ActingAgent, type AgentSource, loadAgent } from "../agents/eager.ts";
