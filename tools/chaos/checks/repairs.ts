import { type Broken, type Check, isLong } from './check.js';

/** The beginning of the error message of a reaction that the run makes fail. */
const PLANTED = 'a planted failure';
/**
 * The maximum number of attempts of a planted failure. Such a failure lasts for seconds, while a
 * reaction is blocked after a quarter of an hour.
 */
const MAX_ATTEMPTS = 6;
/**
 * The maximum share of refunds that an operator resolves. An operator resolves a refund only if the
 * provider has not made it, because its request was lost or its sender was killed. Kills and faults
 * lose fewer than this.
 */
const MAX_RESOLVED_SHARE = 0.5;
/**
 * The maximum share of orders whose reaction still waits for a retry when the faults of a long run
 * end.
 */
const MAX_WAITING_SHARE = 0.25;

/**
 * Repairs must not hide a bug, so the run may need them only for what kills and faults have broken.
 */
const fewRepairs: Check = {
  invariant: 4,
  name: 'when the faults end, only reactions that were made to fail wait, and few refunds are unknown',
  verify: ({ facts }) => {
    const { repairs, acknowledged } = facts;
    if (repairs === null)
      return { isSkipped: true, figure: 'the run repaired nothing', broken: [] };
    const { waiting, resolved, shown, requestedAgain } = repairs;
    const requests = acknowledged?.requests ?? [];
    const refunds = requests.filter(({ kind }) => kind === 'refund').length;
    const isOften = resolved > Math.ceil(refunds * MAX_RESOLVED_SHARE);
    const isMuch = waiting.length > facts.accepted.length * MAX_WAITING_SHARE;
    return {
      figure:
        `${waiting.length} reactions waited, ${resolved} of ${refunds} refunds resolved by an ` +
        `operator, ${requestedAgain} requested again`,
      broken: [
        ...waiting
          .filter(({ error, attempts }) => !error.includes(PLANTED) || attempts > MAX_ATTEMPTS)
          .map(({ key, error, attempts }): Broken => ({
            id: key,
            why: `its reaction waited after ${attempts} attempts: ${error.split('\n')[0] ?? ''}`,
          })),
        // Once the faults have ended, the worker must find each refund that the provider has made
        // by a read, without an operator.
        ...(shown > 0
          ? [
              {
                id: 'refunds',
                why: `the provider had made ${shown} of the refunds that an operator resolved`,
              },
            ]
          : []),
        ...(isMuch && isLong(facts)
          ? [{ id: 'sagas', why: `${waiting.length} reactions waited` }]
          : []),
        ...(isOften && isLong(facts)
          ? [{ id: 'refunds', why: `an operator had to resolve ${resolved} of ${refunds} refunds` }]
          : []),
      ],
    };
  },
};

export const REPAIR_CHECKS: readonly Check[] = [fewRepairs];
