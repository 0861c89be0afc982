/** The type of an MJCF attribute. */
type Attribute = string | number | boolean | readonly number[] | undefined;
/** Attributes of an element, by MJCF's names; undefined ones are left out. */
export interface Attributes {
  readonly [name: string]: Attribute;
}

/** One MJCF element with its content. Numbers are written with all their digits. */
export function tag(name: string, attributes: Attributes = {}, ...inside: readonly string[]): string {
  const words = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${Array.isArray(value) ? value.join(" ") : value}"`);
  return `<${name}${words.join("")}>${inside.join("")}</${name}>`;
}

/** Parts of a model. */
export interface Parts {
  readonly name: string;
  readonly compiler?: Attributes;
  readonly option: Attributes;
  /** Defaults of joints, geoms and motors. */
  readonly joint?: Attributes;
  readonly geom?: Attributes;
  readonly motor?: Attributes;
  readonly world: readonly string[];
  /** The motorised joints, each with the attributes of its motor. */
  readonly motors: readonly (readonly [joint: string, special?: Attributes])[];
  readonly more?: readonly string[];
}

/** A whole model as text. */
export function mjcf({
  name,
  compiler,
  option,
  joint,
  geom,
  motor,
  world,
  motors,
  more = [],
}: Parts): string {
  return tag(
    "mujoco",
    { model: name },
    tag("compiler", compiler),
    tag("option", option),
    tag(
      "default",
      {},
      tag("joint", joint),
      tag("geom", geom),
      tag("motor", { ctrlrange: [-1, 1], ...motor }),
    ),
    tag("worldbody", {}, ...world),
    tag("actuator", {}, ...motors.map(([to, special]) => tag("motor", { joint: to, ...special }))),
    ...more,
  );
}

/** A body at a position in its parent, with its joints, geoms and children. */
export const body = (
  name: string | undefined,
  pos: readonly number[],
  ...inside: readonly string[]
): string => tag("body", { name, pos }, ...inside);

/** A joint about or along an axis. */
export const joint = (
  name: string,
  type: "hinge" | "slide",
  axis: readonly number[],
  more?: Attributes,
): string => tag("joint", { name, type, axis, ...more });

/** A capsule between two points. */
export const capsule = (
  name: string | undefined,
  radius: number,
  from: readonly number[],
  to: readonly number[],
  more?: Attributes,
): string => tag("geom", { name, type: "capsule", size: radius, fromto: [...from, ...to], ...more });

/** A ball. */
export const sphere = (name: string, radius: number, pos: readonly number[], more?: Attributes): string =>
  tag("geom", { name, type: "sphere", size: radius, pos, ...more });

/** The ground, or a table. The third size is the spacing of its rendered grid. */
export const plane = (name: string, size: readonly number[], more?: Attributes): string =>
  tag("geom", { name, type: "plane", size, ...more });
