import { assert } from '#kernel';
import { merchantAggregate } from './merchant-aggregate.js';

const at = '2026-03-02T10:00:00.000Z';

/** As an event of version 1 is read today. */
const lifted = (missing: readonly string[]): unknown => {
  const lifts = merchantAggregate.upcasters['RequirementsObserved'] ?? [];
  assert(lifts.length === 1, 'it is at version 2');
  return lifts.reduce<Readonly<Record<string, unknown>>>(
    (data, lift) => lift(data, 'mer_1'), { missing, readAt: at, at },
  );
};

test('what was missing by its old names is read by those of today', () => {
  expect(lifted(['kbis', 'idcard.pers_1', 'headquarters-address', 'signature'])).toEqual({
    missing: ['documents.kbis', 'documents.idcard.pers_1', 'headquarters-address', 'signature'],
    readAt: at, at,
  });
});

test('what has been written by its new name keeps it, and `iban` stays either', () => {
  expect(lifted(['documents.kbis', 'documents.iban', 'iban'])).toMatchObject({
    missing: ['documents.kbis', 'documents.iban', 'iban'],
  });
});
