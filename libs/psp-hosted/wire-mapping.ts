/**
 * The mapping of our objects to the provider's. The same table serves for requests, for responses,
 * and for the field paths in rejections.
 */

/** Converts a value to the provider's form and back. Unknown values stay unchanged. */
export interface Code {
  readonly toWire: (ours: unknown) => unknown;
  readonly toOurs: (wire: unknown) => unknown;
  /** Maps the provider's path within the value to our path, if the two differ. */
  readonly path?: (steps: Steps) => Steps;
}

type Steps = readonly string[];

/**
 * `at` is the path of the field within the provider's object that contains it. If `at` is empty,
 * the fields belong to that object itself.
 */
type Field =
  | { readonly type: 'value'; readonly at: Steps; readonly code: Code }
  | { readonly type: 'object'; readonly at: Steps; readonly fields: Mapping }
  | { readonly type: 'list'; readonly at: Steps; readonly items: () => Mapping };

export interface Mapping {
  readonly [name: string]: Field;
}

type Fields = Readonly<Record<string, unknown>>;

/** For values that are spelled the same here and at the provider. */
export const SAME: Code = { toWire: (ours) => ours, toOurs: (wire) => wire };

const stepsOf = (at: string): Steps => (at === '' ? [] : at.split('.'));

export const value = (at: string, code: Code = SAME): Field => ({
  type: 'value',
  at: stepsOf(at),
  code,
});

export const object = (at: string, fields: Mapping): Field => ({
  type: 'object',
  at: stepsOf(at),
  fields,
});

export const list = (at: string, items: () => Mapping): Field => ({
  type: 'list',
  at: stepsOf(at),
  items,
});

const put = (into: Record<string, unknown>, [step = '', ...rest]: Steps, item: unknown): void => {
  if (rest.length === 0) into[step] = item;
  else put((into[step] ??= {}) as Record<string, unknown>, rest, item);
};

const at = (wire: unknown, steps: Steps): unknown =>
  steps.reduce<unknown>((inner, step) => (inner as Fields | null | undefined)?.[step], wire);

const encodeField = (field: Field, ours: unknown, into: Record<string, unknown>): void => {
  if (ours === undefined) return;
  if (field.type === 'object' && field.at.length === 0) {
    // Only our API has this object. If it is null, each of its fields is cleared.
    for (const [name, inner] of Object.entries(field.fields)) {
      encodeField(inner, ours === null ? null : (ours as Fields)[name], into);
    }
  } else put(into, field.at, ours === null ? null : encodedValue(field, ours));
};

const encodedValue = (field: Field, ours: unknown): unknown => {
  switch (field.type) {
    case 'value':
      return field.code.toWire(ours);
    case 'object':
      return encode(field.fields, ours as Fields);
    case 'list':
      return (ours as readonly Fields[]).map((item) => encode(field.items(), item));
  }
};

/** Converts our object to the provider's format; missing fields stay missing. */
export const encode = (mapping: Mapping, ours: object): Fields => {
  const wire: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(ours)) {
    const field = mapping[name];
    if (field !== undefined) encodeField(field, item, wire);
  }
  return wire;
};

const decodedValue = (field: Field, wire: unknown): unknown => {
  if (wire === null || wire === undefined) return wire;
  switch (field.type) {
    case 'value':
      return field.code.toOurs(wire);
    case 'object':
      return decode(field.fields, wire);
    case 'list':
      return (wire as readonly unknown[]).map((item) => decode(field.items(), item));
  }
};

/**
 * Converts the provider's object to our format; missing fields stay missing, and an object without
 * fields becomes missing.
 */
export const decode = (mapping: Mapping, wire: unknown): Fields => {
  const fields = Object.entries(mapping).flatMap(([name, field]) => {
    const ours = decodedValue(field, at(wire, field.at));
    const isGroup = field.type === 'object' && field.at.length === 0;
    const isEmpty = isGroup && Object.keys(ours as Fields).length === 0;
    return ours === undefined || isEmpty ? [] : [[name, ours] as const];
  });
  return Object.fromEntries(fields);
};

const startsWith = (steps: Steps, prefix: Steps): boolean =>
  prefix.every((step, index) => steps[index] === step);

const pathBelow = (field: Field, rest: Steps): Steps | null => {
  switch (field.type) {
    case 'value':
      return field.code.path?.(rest) ?? rest;
    case 'object':
      return pathIn(field.fields, rest);
    case 'list': {
      const [item, ...inner] = rest;
      return item === undefined ? [] : [item, ...(pathIn(field.items(), inner) ?? inner)];
    }
  }
};

/** Our path for a path of the provider; null if the provider has no such field. */
const pathIn = (mapping: Mapping, steps: Steps): Steps | null => {
  if (steps.length === 0) return [];
  const fields = Object.entries(mapping);
  for (const [name, field] of fields) {
    if (!startsWith(steps, field.at)) continue;
    const below = pathBelow(field, steps.slice(field.at.length));
    if (below !== null) return [name, ...below];
  }
  // The path names an object that only the provider has. Its fields are fields of our enclosing
  // object, so our path is that of the enclosing object.
  return fields.some(([, field]) => startsWith(field.at, steps)) ? [] : null;
};

/**
 * Whether the provider's path belongs to one of our fields, or to an object that contains some of
 * our fields.
 */
export const isKnownPath = (mapping: Mapping, path: string): boolean =>
  pathIn(mapping, stepsOf(path)) !== null;

/**
 * Our path for a path of the provider, e.g. `owners.0.person.first-name`; an unknown path stays
 * unchanged.
 */
export const pathOf = (mapping: Mapping, path: string): string => {
  const steps = stepsOf(path);
  return (pathIn(mapping, steps) ?? steps).join('.');
};
