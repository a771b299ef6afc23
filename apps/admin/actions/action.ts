import { createHash } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { Step } from '#log';
import { type DailyLimit, type RefundIs, type AuditSubject as Subject } from '#operations';
import type { Scope } from '#platform';
import type { EndpointTerms } from '#webhook';
import type { AccessScope } from '../access/access-scope.js';
import type { Role } from '../access/role.js';
import type { Note } from './preview-codes.js';
import type { ActionAbout, Preview } from './preview-items.js';

/**
 * Actions on a payment, an order, a job, a reconciliation break, a projection, an account, a
 * webhook or a webhook endpoint; unlike settings, they are previewed first.
 */
export const REPAIR_KINDS = [
  'capture',
  'cancel',
  'refund',
  'reissue_refund',
  'abandon_refund',
  'resolve_result',
  'review_mismatches',
  'refresh',
  'retry_request',
  'retry_requests',
  'retry_reaction',
  'discard_reaction',
  'close_exception',
  'accept_line',
  'rebuild_projection',
  'poll_history',
  'poll_account',
  'reprocess_webhook',
  'switch_account',
  'disable_account',
  'withdraw_account',
  'disable_endpoint',
  'enable_endpoint',
  'redeliver_webhooks',
] as const;

/**
 * Actions that change users, keys and limits, or create webhook endpoints. Admins request each of
 * them with a separate form.
 */
export const SETTING_KINDS = [
  'create_api_key',
  'create_user',
  'change_role',
  'change_access',
  'enable_user',
  'reset_password',
  'reset_second_factor',
  'register_identity',
  'change_limit',
  'create_endpoint',
] as const;

export const ACTION_KINDS = [...REPAIR_KINDS, ...SETTING_KINDS] as const;

export type RepairKind = (typeof REPAIR_KINDS)[number];
export type SettingKind = (typeof SETTING_KINDS)[number];
export type ActionKind = RepairKind | SettingKind;

/** Actions that only admins can request; operators can request all others. */
const OF_ADMINS: readonly ActionKind[] = [...SETTING_KINDS, 'switch_account', 'disable_account'];

/** The lowest role that can request and approve the action. */
export const leastRoleFor = (kind: ActionKind): Role =>
  OF_ADMINS.includes(kind) ? 'admin' : 'operator';

/** The target of an action; the kind of action determines which fields it has. */
export interface Target {
  /**
   * The id of the payment, order, job, reconciliation break, projection, mode (test or live),
   * account, webhook, webhook endpoint, user, key or limit; for `retry_requests` the incident, as
   * `<cause>.f<from>.t<to>` with the period in which its requests failed, in milliseconds; several
   * are separated by colons.
   */
  readonly subjectId: string;
  /** The amount of a refund or capture, in minor units; default: the full remaining amount. */
  readonly amountMinor?: number;
  /** For `capture`: whether the rest of the authorization is released. */
  readonly isFinal?: boolean;
  /** For `reissue_refund` and `abandon_refund`: the id of the failed refund request. */
  readonly requestId?: string;
  /**
   * For `resolve_result`: whether the refund or debit found at the provider is the requested refund
   * or debit (`ours`, the default) or a different one (`others`).
   */
  readonly refundIs?: RefundIs;
  /**
   * For a failed saga reaction: the saga's name; `subjectId` is then the id of the saga's order or
   * merchant.
   */
  readonly saga?: string;
  /**
   * For `discard_reaction`: the trigger (event or deadline) of the reaction that the user saw fail.
   */
  readonly stimulus?: string;
  /** For `poll_history`: the first day to poll, YYYY-MM-DD. */
  readonly fromDay?: string;
  /** The platform of a new API key or webhook endpoint. */
  readonly platformId?: string;
  readonly scopes?: readonly Scope[];
  readonly expiresAt?: string;
  /** For a user: the new role. */
  readonly role?: Role;
  /** For a user: the visible platforms and merchants, and the amount limits. */
  readonly access?: AccessScope;
  readonly limit?: DailyLimit;
  /** The settings of a new webhook endpoint. */
  readonly endpoint?: EndpointTerms;
  /** For `redeliver_webhooks`: the ids of the deliveries to send; absent: all that are open. */
  readonly deliveryIds?: readonly string[];
}

/**
 * Values that take effect with the approval. They are not part of the target, because the audit log
 * keeps targets for ever.
 */
export interface Private {
  /** The hash of a password or key. */
  readonly secretHash?: string;
  /** The name of a new user. */
  readonly name?: string;
  /** For `retry_requests`: the fingerprint of the requests that the requester saw. */
  readonly requests?: string;
  /** The email address with which a user will sign in at the identity provider. */
  readonly email?: string;
}

/** An action request. */
export interface Asked {
  /** The action's id, `act_…`; the action with this id is executed only once. */
  readonly id: string;
  readonly target: Target;
  readonly reason: string;
  /** The requester: `user:<id>` or `platform:<id> key:<prefix>`. */
  readonly actor: string;
  /** The id of the approving user, if an approval was needed. */
  readonly approvedBy: string | null;
  readonly private: Private | null;
}

/** The statuses of an action; `expired`: it was not approved in time. */
export const ACTION_STATUSES = [
  'pending',
  'executing',
  'done',
  'failed',
  'rejected',
  'expired',
] as const;

type Outcome = Readonly<Record<string, unknown>>;

/** A kind of action. `preview` and `execute` throw a `Rejection` if the action is impossible. */
export type Action = {
  /** Whether the action affects money, so that a second person must approve it. */
  readonly takesTwo: boolean;
  readonly subjectOf: (target: Target) => Subject;
  readonly preview: (asked: Asked) => Promise<Preview>;
  /**
   * The values of the preview that are stored and must be the same at the execution; absent: none.
   */
  readonly fixed?: (preview: Preview) => Private | null;
} & (
  | {
      /**
       * The action appends events to the log; a second execution under the same action id has no
       * effect.
       */
      readonly executedAs: 'step';
      readonly execute: (asked: Asked) => Promise<Outcome>;
    }
  | {
      /**
       * The action changes rows, in the transaction that ends the action. Without a returned
       * outcome, the stored outcome is empty.
       */
      readonly executedAs: 'rows';
      readonly execute: (asked: Asked, client: PoolClient) => Promise<Outcome | void>;
    }
);

export const NOTHING: Preview = { about: null, events: [], calls: [], follows: [], notes: [] };

/**
 * The fields of a preview that may change until the execution, e.g. the number of open deliveries
 * of a failing endpoint. They are not part of the digest.
 */
const TIMES: readonly string[] = ['at', 'ordersFrom', 'openCount', 'laterCount'];

/** The digest of a preview; it does not depend on the time of execution. */
export const digestOf = (preview: Preview): string => {
  const text = JSON.stringify(preview, (key, value: unknown) =>
    TIMES.includes(key) ? undefined : value,
  );
  return createHash('sha256').update(text).digest('base64url');
};

/**
 * Notes about workflows whose reaction to the action currently fails: their follow-up actions wait
 * for a retry.
 */
const waitingOf = (step: Step | null): readonly Note[] =>
  (step?.sagas ?? []).flatMap(({ saga, write }): readonly Note[] =>
    write?.waiting ? [{ code: 'reaction_waits', saga }] : [],
  );

/** The preview of an action whose events were decided but not committed. */
export const previewOf = (
  step: Step | null,
  about: ActionAbout | null,
  ...notes: readonly Note[]
): Preview => ({
  about,
  events: (step?.appends ?? []).flatMap(({ streamType, streamId, events }) =>
    events.map(({ type, data }) => ({ streamType, streamId, type, data })),
  ),
  calls: (step?.effects ?? []).map(({ kind, subjectId }) => ({
    code: 'request_queued',
    call: kind,
    subjectId,
  })),
  follows: [],
  notes: [...notes, ...waitingOf(step)],
});
