import { assert, type Upcaster } from '#kernel';

const isOfDocumentAlone = (item: string): boolean => item === 'kbis' || item.startsWith('idcard.');

/**
 * What version 1 of `RequirementsObserved` calls an item, as version 2 does: documents go by
 * `documents.…`. Of version 1 `iban` is left as it is: it was the field, the document, or both.
 */
const liftedRequirement = (item: string): string =>
  isOfDocumentAlone(item) ? `documents.${item}` : item;

export const liftRequirements: Upcaster = (data) => {
  const { missing } = data;
  assert(Array.isArray(missing), 'what is missing is a list');
  return { ...data, missing: missing.map((item) => liftedRequirement(String(item))) };
};
