import { availableBackends, type BackendName } from "@reins/tensor";

/** Which back end runs, and why that one. */
export interface Choice {
  readonly name: BackendName;
  readonly why: string;
}

/** What `compile` will take when it is asked for `asked`, in words. */
export function choiceOf(
  asked: BackendName | undefined,
  environment = process.env.REINS_BACKEND,
  available: () => readonly BackendName[] = availableBackends,
): Choice {
  if (asked) return { name: asked, why: "as --backend says" };
  if (environment && environment !== "auto")
    return { name: environment as BackendName, why: "as REINS_BACKEND says" };
  const [name] = available();
  return {
    name,
    why: name === "native" ? "the fastest, and it works here" : "native needs a C compiler and koffi",
  };
}
