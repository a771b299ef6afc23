import { accountAggregate } from '#account';
import { type Clock, DAY_MS, HOUR_MS, Rejection } from '#kernel';
import type { StepOnceParts } from '#operations';
import { isProduction, firstRow } from '#platform';
import type { Action, Asked } from './action.js';
import { stepAction } from './step-action.js';
import type { Note } from './preview-codes.js';

interface Account {
  readonly id: string;
  readonly merchantId: string;
  readonly mode: string;
  /** The account that the merchant's new orders use now; null: no account. */
  readonly currentId: string | null;
}

const ACCOUNT = `
  SELECT a.id, a.merchant_id AS "merchantId", a.mode,
         CASE WHEN c.taking_orders THEN c.account_id END AS "currentId"
    FROM provider_accounts a
         LEFT JOIN LATERAL current_account(a.platform_id, a.merchant_id, a.mode, $2) c ON true
   WHERE a.id = $1`;

/** The delay from the approval of a replacement account to its first use for new orders. */
export interface AccountRules {
  readonly clock: Clock;
  /** The delay in milliseconds; null: a day in production, no delay in development. */
  readonly coolingOffMs: number | null;
}

/**
 * Actions that change the account a merchant is paid into. The change decides where money goes, so
 * two admins are needed. One person alone can withdraw an account that no order uses.
 */
export const accountActions = (log: StepOnceParts, { clock, ...rules }: AccountRules) => {
  const coolingOff = async (): Promise<number> =>
    rules.coolingOffMs ?? ((await isProduction(log.pool)) ? DAY_MS : 0);
  const accountOf = async ({ target }: Asked): Promise<Account> => {
    const account = await firstRow<Account>(log.pool, ACCOUNT, [target.subjectId, clock.now()]);
    if (account !== undefined) return account;
    throw new Rejection('account_not_found', 'provider account not found');
  };
  const common = {
    subjectType: 'account',
    correlationOf: async (asked: Asked) => (await accountOf(asked)).id,
    about: () => Promise.resolve(null),
  } as const;
  const ending = (type: 'WithdrawAccount' | 'DisableAccount', takesTwo: boolean): Action =>
    stepAction(log, {
      ...common,
      takesTwo,
      notes: async (asked) => {
        const { id, merchantId, mode, currentId } = await accountOf(asked);
        const code = currentId === id ? 'account_used_now' : 'account_not_used';
        return [{ code, merchantId, mode }];
      },
      work: async (step, { target }) => {
        await step.execute(accountAggregate, target.subjectId, { type, at: clock.now() });
      },
    });
  return {
    switch_account: stepAction(log, {
      ...common,
      takesTwo: true,
      notes: async (asked) => {
        const { id: to, merchantId, mode, currentId } = await accountOf(asked);
        const { state } = await log.store.load(accountAggregate, to);
        const notBefore = state.status === 'none' ? null : state.notBefore;
        const hours = (await coolingOff()) / HOUR_MS;
        const switched: Note = {
          code: 'orders_switched',
          merchantId,
          mode,
          from: currentId ?? '',
          to,
          hours,
        };
        return notBefore === null
          ? [switched]
          : [switched, { code: 'orders_not_before', time: notBefore }];
      },
      work: async (step, asked) => {
        const { id, currentId } = await accountOf(asked);
        if (currentId === id)
          throw new Rejection('account_in_use', 'orders already use this account');
        await step.execute(accountAggregate, id, {
          type: 'ApproveAccount',
          coolingOffMs: await coolingOff(),
          at: clock.now(),
        });
      },
    }),
    disable_account: ending('DisableAccount', true),
    withdraw_account: ending('WithdrawAccount', false),
  };
};
