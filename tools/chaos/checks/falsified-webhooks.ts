import { type Check, isLongChaos } from './check.js';

const falsifiedRefused: Check = {
  invariant: 8,
  name: 'no webhook is accepted whose content does not fit its signature',
  verify: ({ facts }) => {
    const { falsifiedWebhooks } = facts;
    if (falsifiedWebhooks === null)
      return { isSkipped: true, figure: 'no webhook was falsified', broken: [] };
    const { accepted, refused } = falsifiedWebhooks;
    const isTame = refused === 0 && isLongChaos(facts);
    return {
      figure: `${refused} falsified webhooks refused`,
      broken: [
        ...(accepted > 0 ? [{ id: 'webhooks', why: `${accepted} were accepted` }] : []),
        ...(isTame ? [{ id: 'the run', why: 'no falsified webhook was refused' }] : []),
      ],
    };
  },
};

export const FALSIFIED_CHECKS: readonly Check[] = [falsifiedRefused];
