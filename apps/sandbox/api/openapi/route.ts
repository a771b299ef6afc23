import type { AnySchemaObject } from 'ajv';
import type { IdPrefix } from '../ids.js';

/** A JSON Schema as it appears in an OpenAPI document. */
export type Schema = AnySchemaObject;

/** Validates an input against the same schema that the OpenAPI document shows. */
export interface HasSchema {
  readonly schema: Schema;
}

export type Method = 'get' | 'post' | 'patch' | 'delete';

/** One route of the payment API with all data for its OpenAPI description. */
export interface Route {
  readonly method: Method;
  /** The path as in OpenAPI documents, e.g. `/v2/refunds/{id}`. */
  readonly path: string;
  /** The resource of the route, which defines the pattern of `{id}` and the alternative paths. */
  readonly prefix?: IdPrefix;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly query?: HasSchema;
  /** The JSON body of the request; with `optional` the request may omit the body. */
  readonly body?: HasSchema & { readonly optional?: boolean };
  /** The body of the 200 response; null for a route that returns 204 without a body. */
  readonly answer: Schema | 'application/pdf' | null;
  /**
   * The cause of a 409 response, for the documentation; undefined when the route never returns 409.
   */
  readonly conflict?: string;
}

/** The body of a method that takes no body: absent, or an empty object. */
export const NO_BODY = {
  schema: { type: 'object', additionalProperties: false },
  optional: true,
} as const;
