/** A JSON Schema of an object, for the arguments of a tool. */
export interface ToolSchema {
  readonly type: "object";
  readonly properties: { readonly [name: string]: object };
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

type Simple = {
  string: string;
  number: number;
  integer: number;
  boolean: boolean;
  null: null;
};

type ObjectOf<T> = T extends { readonly properties: infer P }
  ? {
      readonly [K in keyof P as K extends RequiredOf<T> ? K : never]: ValueOf<P[K]>;
    } & { readonly [K in keyof P as K extends RequiredOf<T> ? never : K]?: ValueOf<P[K]> }
  : Readonly<Record<string, unknown>>;

type RequiredOf<T> = T extends { readonly required: readonly (infer R)[] } ? R : never;

/** The type of a JSON Schema by its type, enum or const; other keywords give `unknown`. */
export type ValueOf<T> = T extends { readonly const: infer V }
  ? V
  : T extends { readonly enum: readonly (infer V)[] }
    ? V
    : T extends { readonly type: keyof Simple }
      ? Simple[T["type"]]
      : T extends { readonly type: "array" }
        ? readonly (T extends { readonly items: infer I } ? ValueOf<I> : unknown)[]
        : T extends { readonly type: "object" }
          ? ObjectOf<T>
          : unknown;

/** The argument type of a tool with this schema. A schema that is not known at compile time gives no types. */
export type ArgumentsOf<P extends ToolSchema> = string extends keyof P["properties"]
  ? Readonly<Record<string, never>>
  : ObjectOf<P>;
