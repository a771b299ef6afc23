import type { Dictionary } from '../i18n/en';

/** The provider's id of an owner or representative, whose name we do not record. */
const PERSON = /^pers_\w+$/;

/**
 * The text of a missing requirement: the field or document, and the part of the details or the
 * person concerned. An unknown requirement is shown under the provider's name for it.
 */
export const requirementText = (t: Dictionary, item: string): string => {
  const names = t.merchants.requirements;
  const name = Object.keys(names).find((one) => item === one || item.startsWith(`${one}.`));
  if (name === undefined) return item;
  const part = item.slice(name.length + 1);
  if (part === '') return `${names[name]}`;
  return `${names[name]} (${PERSON.test(part) ? t.merchants.person(part.slice(-4)) : part})`;
};
