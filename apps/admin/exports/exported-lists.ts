import type { List } from '#lists';
import type { Role } from '../access/role.js';

/**
 * The lists that can be exported as a file, by name, with the lowest role that may receive the
 * file.
 */
export type ExportedLists = Readonly<
  Record<string, { readonly list: List; readonly role: Role } | undefined>
>;
export const EXPORTED_LISTS = Symbol('EXPORTED_LISTS');

/** The limits of exports. */
export interface ExportLimits {
  /** The number of rows that one statement reads and that one chunk of the file contains. */
  readonly pageRows: number;
  /** The maximum number of rows of a file. */
  readonly maxRows: number;
}
export const EXPORT_LIMITS = Symbol('EXPORT_LIMITS');

export const USUAL_LIMITS: ExportLimits = { pageRows: 1_000, maxRows: 1_000_000 };
