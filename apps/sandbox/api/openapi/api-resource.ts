import type { IdPrefix } from '../ids.js';
import type { HasSchema, Schema } from './route.js';

/** How a verb of a resource differs from what all do. */
export interface Verb {
  /** What a 409 to it says is in the way. */
  readonly conflict?: string;
  /** JSON Schema keywords of its whole body. */
  readonly rules?: object;
}

/** A resource: every one is read and listed. */
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
  /** What DELETE answers. */
  readonly removed?: 'object' | 'nothing';
}
