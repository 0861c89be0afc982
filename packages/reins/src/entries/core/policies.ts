/** `reins/core/policies`: policies and networks: actor-critics, recurrent and image networks, encoders and action heads. */
export * from "@reins/core/policies";
