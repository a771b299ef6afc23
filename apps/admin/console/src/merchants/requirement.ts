import type { Dictionary } from '../i18n/en';

/**
 * The text of a missing requirement: the field or document, and the part of the details or the
 * person concerned. An unknown requirement is shown under the provider's name for it.
 */
export const requirementText = (t: Dictionary, item: string): string => {
  const names = t.merchants.requirements;
  const name = Object.keys(names).find((one) => item === one || item.startsWith(`${one}.`));
  if (name === undefined) return item;
  const part = item.slice(name.length + 1);
  return part === '' ? `${names[name]}` : `${names[name]} (${part})`;
};
