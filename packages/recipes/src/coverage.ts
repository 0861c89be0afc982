/**
 * The methods of a survey by topic, with what covers them: ids of systems of the book, or paths in the repository, separated by spaces;
 * "not yet" if nothing does. A key names one method or several, separated by commas.
 */
export interface Coverage {
  readonly [topic: string]: { readonly [method: string]: string };
}

/** The entry of a method that nothing covers. */
export const notYet = "not yet";

/** A method of a survey. */
export interface SurveyedMethod {
  readonly topic: string;
  readonly method: string;
  /** What covers it; empty if nothing does. */
  readonly parts: readonly string[];
}

/** All methods of a survey, in order. */
export const methodsOf = (covers: Coverage): SurveyedMethod[] =>
  Object.entries(covers).flatMap(([topic, methods]) =>
    Object.entries(methods).flatMap(([names, by]) => {
      const parts = by === notYet ? [] : by.split(" ");
      return names.split(", ").map((method) => ({ topic, method, parts }));
    }),
  );

/** One text per topic: its methods with their parts. */
export const coverageTexts = (covers: Coverage): string[] =>
  Object.keys(covers).map((topic) => {
    const own = methodsOf({ [topic]: covers[topic] });
    return `${topic}: ${own.map(({ method, parts }) => `${method} (${parts.join(", ") || notYet})`).join("; ")}`;
  });
