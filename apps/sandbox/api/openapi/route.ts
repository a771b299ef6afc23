import type { AnySchemaObject } from 'ajv';
import type { IdPrefix } from '../ids.js';

/** A JSON Schema, as a document contains it. */
export type Schema = AnySchemaObject;

/** Validates an input by the same schema that the document contains. */
export interface HasSchema {
  readonly schema: Schema;
}

export type Method = 'get' | 'post' | 'patch' | 'delete';

/** One route of the payment API with all data for its OpenAPI description. */
export interface Route {
  readonly method: Method;
  /** As in OpenAPI documents, e.g. `/v2/refunds/{id}`. */
  readonly path: string;
  /** The resource of the route, which defines the pattern of `{id}` and the alternative paths. */
  readonly prefix?: IdPrefix;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly query?: HasSchema;
  /** A JSON body, which may be omitted if `optional`. */
  readonly body?: HasSchema & { readonly optional?: boolean };
  /** The body of a 200; null: a 204 without a body. */
  readonly answer: Schema | 'application/pdf' | null;
  /** The cause of a 409, for the documentation; undefined: the route has no 409. */
  readonly conflict?: string;
}

/** The body of a method that takes none: absent, or an empty object. */
export const NO_BODY = {
  schema: { type: 'object', additionalProperties: false },
  optional: true,
} as const;
