import codesNaf from '@socialgouv/codes-naf';
import mcc from 'mcc';
import { assert } from '#kernel';
import { categoryOf } from './activity-categories.js';

/** A sub-class of the national activity classification. */
export interface Activity {
  readonly code: string;
  readonly name: string;
  /** Merchant category code. */
  readonly mcc: number;
}

export interface Category {
  readonly code: number;
  readonly name: string;
}

/**
 * The format of a sub-class, e.g. `47.11D`; the library also lists divisions, groups and classes,
 * which have other formats.
 */
const SUB_CLASS = /^\d\d\.\d\d[A-Z]$/;

const activityOf = ({ id, label }: { readonly id: string; readonly label: string }): Activity => {
  const category = categoryOf(id);
  assert(category !== null, `every activity has a merchant category: ${id}`);
  return { code: id, name: label.replace(/\s+/g, ' ').trim(), mcc: category };
};

/** All 732 sub-classes. */
export const ACTIVITIES: readonly Activity[] = codesNaf
  .filter(({ id }) => SUB_CLASS.test(id))
  .map(activityOf);

const byCode = new Map(ACTIVITIES.map((activity) => [activity.code, activity]));

export const isActivity = (code: string): boolean => byCode.has(code);

/** The merchant category of an activity, for information only. */
export const merchantCategory = (activity: string): Category | null => {
  const known = byCode.get(activity);
  if (known === undefined) return null;
  const named = mcc.get(known.mcc);
  assert(named !== undefined, `every merchant category has a name: ${known.mcc}`);
  return { code: known.mcc, name: named.edited_description.trim() };
};
