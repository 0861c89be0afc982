import { setFlagsFromString } from "node:v8";

// Tests run most code a few times and end. Node would spend a third of their time on making it faster: it waits for longer here.
setFlagsFromString("--interrupt-budget=300000");
