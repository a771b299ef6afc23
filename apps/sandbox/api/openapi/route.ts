import type { AnySchemaObject } from 'ajv';
import type { IdPrefix } from '../ids.js';

/** A JSON Schema, as it stands in a document. */
export type Schema = AnySchemaObject;

/** What reads an input: its schema is the very one that the input is checked against. */
export interface HasSchema {
  readonly schema: Schema;
}

export type Method = 'get' | 'post' | 'patch' | 'delete';

/** One route of the payment API with all that its description needs. */
export interface Route {
  readonly method: Method;
  /** As documents write it, e.g. `/v2/refunds/{id}`. */
  readonly path: string;
  /** Whose route it is: the pattern of `{id}`, and its other names. */
  readonly prefix?: IdPrefix;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly query?: HasSchema;
  /** A JSON body; `optional`: it may be left out. */
  readonly body?: HasSchema & { readonly optional?: boolean };
  /** What a 200 holds; null: a 204 without a body. */
  readonly answer: Schema | 'application/pdf' | null;
  /** What a 409 says is in the way; without it there is none. */
  readonly conflict?: string;
}

/** Verbs without a body take none, or an empty object. */
export const NO_BODY = {
  schema: { type: 'object', additionalProperties: false },
  optional: true,
} as const;
