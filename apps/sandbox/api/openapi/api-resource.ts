import type { IdPrefix } from '../ids.js';
import type { HasSchema, Schema } from './route.js';

/** The differences of a resource's method from the common behaviour. */
export interface Verb {
  /** The conflict that its 409 names. */
  readonly conflict?: string;
  /** JSON Schema keywords of its whole body. */
  readonly rules?: object;
}

/** A resource: each can be read and listed. */
export interface ApiResource {
  readonly prefix: IdPrefix;
  /** Its schemas are named after it: `…Create`, `…Patch`, `…Out`, `…OutList`. */
  readonly title: string;
  readonly about: string;
  readonly answer: Schema;
  readonly page: Schema;
  readonly list: HasSchema;
  readonly create?: (HasSchema & Verb) | undefined;
  readonly patch?: (HasSchema & Verb) | undefined;
  /** The answer of DELETE. */
  readonly removed?: 'object' | 'nothing';
}
