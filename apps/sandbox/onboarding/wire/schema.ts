import type { AnySchemaObject } from 'ajv';

/** An object with exactly these keys, all of them there. */
export const exactly = (properties: Readonly<Record<string, AnySchemaObject>>): AnySchemaObject => ({
  type: 'object', additionalProperties: false, required: Object.keys(properties), properties,
});

export const listOf = (items: AnySchemaObject): AnySchemaObject => ({ type: 'array', items });

/** The same, or null where nothing is known yet. */
export const orNull = (schema: AnySchemaObject): AnySchemaObject => ({
  anyOf: [schema, { type: 'null' }],
});

export const TEXT = { type: 'string' } as const;
export const INTEGER = { type: 'integer' } as const;
export const FLAG = { type: 'boolean' } as const;
export const DATE = { type: 'string', format: 'date' } as const;

/** An id of the onboarding API, e.g. `comp_` and 24 letters and digits. */
export const idOf = (...prefixes: readonly string[]): AnySchemaObject => ({
  type: 'string', pattern: `^(?:${prefixes.join('|')})_[A-Za-z0-9]{24}$`,
});
