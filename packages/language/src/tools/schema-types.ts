/** A JSON Schema of an object, as tools describe their arguments. */
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

/** What a JSON Schema says of a value, as a type: what it says in other ways than by type, enum or const is `unknown`. */
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

/** The type of the arguments that a tool with this schema is given. A schema that is not known before the program runs says nothing. */
export type ArgumentsOf<P extends ToolSchema> = string extends keyof P["properties"]
  ? Readonly<Record<string, never>>
  : ObjectOf<P>;
