import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { EventStore } from '#log';
import { type Clock } from '#kernel';
import { ResolveResult } from '#operations';
import { CLOCK } from '#platform';
import { type Payments, ProviderAccounts } from '#psp';
import { Identities } from '../access/identities.js';
import { Users } from '../access/users.js';
import { ACCOUNT_COOLING_OFF_MS } from '../admin-config.js';
import { acceptLine } from './accept-line.js';
import { accessActions } from './access-actions.js';
import { accountActions } from './account-actions.js';
import type { Action, ActionKind } from './action.js';
import { endpointActions } from './endpoint-actions.js';
import { changeLimit } from './limit-action.js';
import { refreshAction } from './refresh-action.js';
import { moneyActions, resolveAction } from './money-actions.js';
import { queueActions } from './queue-actions.js';
import { redeliverWebhooks } from './redeliver-webhooks.js';
import { retryRequests } from './retry-requests.js';
import { reviewMismatches } from './review-mismatches.js';
import { rowActions } from './row-actions.js';
import { rejectedRefundActions } from './rejected-refunds.js';

/** All repairs and settings, by kind. */
@Injectable()
export class ActionCatalogue {
  private readonly actions: Readonly<Record<ActionKind, Action>>;

  constructor(
    @Inject(Pool) pool: Pool,
    store: EventStore,
    accounts: ProviderAccounts,
    @Inject(CLOCK) clock: Clock,
    users: Users,
    identities: Identities,
    @Inject(ACCOUNT_COOLING_OFF_MS) coolingOffMs: number | null,
  ) {
    const clientOf = async (accountId: string): Promise<Payments | null> => {
      const client = await accounts.clientOf(accountId);
      return client && client.payments;
    };
    this.actions = {
      ...moneyActions({ pool, store }, clock, accounts),
      ...rejectedRefundActions({ pool, store }, clock),
      resolve_result: resolveAction(store, new ResolveResult(pool, store, clock, clientOf)),
      review_mismatches: reviewMismatches({ pool, store }, clock),
      refresh: refreshAction({ pool, store, clock, clientOf }),
      ...rowActions(pool, clock),
      accept_line: acceptLine({ pool, store }, clock),
      ...queueActions({ pool, store }),
      retry_requests: retryRequests({ pool, store }),
      ...accountActions({ pool, store }, { clock, coolingOffMs }),
      ...endpointActions({ pool, store }, clock),
      redeliver_webhooks: redeliverWebhooks(pool),
      ...accessActions(pool, users, identities),
      change_limit: changeLimit(pool),
    };
  }

  of(kind: ActionKind): Action {
    return this.actions[kind];
  }
}
