import type { Dictionary } from '../i18n/en';

/**
 * What a registration lacks, in words: the field or document, and which part of it or whose. What
 * has no words is shown as the provider calls it.
 */
export const requirementText = (t: Dictionary, item: string): string => {
  const names = t.merchants.requirements;
  const name = Object.keys(names).find((one) => item === one || item.startsWith(`${one}.`));
  if (name === undefined) return item;
  const part = item.slice(name.length + 1);
  return part === '' ? `${names[name]}` : `${names[name]} (${part})`;
};
