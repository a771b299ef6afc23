import type { IdPrefix } from '../ids.js';
import type { HasSchema, Schema } from './route.js';

/** How a method of a resource differs from the common behaviour. */
export interface Verb {
  /** The cause of the method's 409 response. */
  readonly conflict?: string;
  /** Further JSON Schema keywords for the whole body. */
  readonly rules?: object;
}

/** A resource that can be read and listed. */
export interface ApiResource {
  readonly prefix: IdPrefix;
  /** The prefix of the resource's schema names: `…Create`, `…Patch`, `…Out`, `…OutList`. */
  readonly title: string;
  readonly about: string;
  readonly answer: Schema;
  readonly page: Schema;
  readonly list: HasSchema;
  readonly create?: (HasSchema & Verb) | undefined;
  readonly patch?: (HasSchema & Verb) | undefined;
  /** The response of DELETE. */
  readonly removed?: 'object' | 'nothing';
}
