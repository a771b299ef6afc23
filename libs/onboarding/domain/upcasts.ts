import { assert, type Upcaster } from '#kernel';

const textsOf = (value: unknown): readonly string[] => {
  assert(Array.isArray(value), 'it is a list');
  return value.map(String);
};

const isOfDocumentAlone = (item: string): boolean => item === 'kbis' || item.startsWith('idcard.');

/**
 * What version 1 of `RequirementsObserved` calls an item, as version 2 does: documents go by
 * `documents.…`. Of version 1 `iban` is left as it is: it was the field, the document, or both.
 */
const requirementV2 = (item: string): string =>
  isOfDocumentAlone(item) ? `documents.${item}` : item;

/** A path by the provider's names, e.g. `headquarters-address.zip-code`, by ours. */
const ourPath = (path: string): string =>
  path.replace(/-([a-z])/g, (_hyphen, letter: string) => letter.toUpperCase());

const ourReason = (reason: unknown): string => String(reason).replaceAll('-', '_');

const withMissing = (rename: (item: string) => string): Upcaster => (data) =>
  ({ ...data, missing: textsOf(data['missing']).map(rename) });

export const upcastRequirements: readonly Upcaster[] =
  [withMissing(requirementV2), withMissing(ourPath)];

export const upcastFields: Upcaster = (data) =>
  ({ ...data, fields: textsOf(data['fields']).map(ourPath) });

export const upcastReason: Upcaster = (data) => ({ ...data, reason: ourReason(data['reason']) });
