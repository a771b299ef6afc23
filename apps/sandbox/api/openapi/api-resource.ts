import type { IdPrefix } from '../ids.js';
import type { HasSchema, Schema } from './route.js';

/** A verb of a resource, and what a 409 to it says is in the way. */
export interface Write extends HasSchema {
  readonly conflict?: string;
}

/** A resource: every one is read and listed. */
export interface ApiResource {
  readonly prefix: IdPrefix;
  /** Its schemas are named after it: `…Create`, `…Patch`, `…Out`, `…OutList`. */
  readonly name: string;
  readonly about: string;
  readonly answer: Schema;
  readonly page: Schema;
  readonly list: HasSchema;
  readonly create?: Write;
  readonly patch?: Write;
  /** What DELETE answers. */
  readonly removed?: 'object' | 'nothing';
}
