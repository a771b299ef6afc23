import { createHash } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { Step } from '#log';
import type { DailyLimit, RefundIs } from '#operations';
import type { Scope } from '#platform';
import type { Role } from '../access/role.js';
import type { Subject } from '../shared/audit.js';
import type { Follow, Note, ToldCall } from './told.js';

/** What is put right: asked for as it stands. */
export const REPAIR_KINDS = [
  'capture',
  'cancel',
  'refund',
  'reissue_refund',
  'give_up_refund',
  'settle_call',
  'refresh',
  'retry_call',
  'retry_reaction',
  'discard_reaction',
  'close_exception',
  'rebuild_projection',
  'poll_history',
  'poll_account',
  'reprocess_webhook',
  'switch_account',
  'disable_account',
  'withdraw_account',
] as const;

/** Who may move money, and how much: an admin asks, each in a form of its own. */
export const SETTING_KINDS = [
  'create_api_key',
  'create_user',
  'change_role',
  'enable_user',
  'reset_password',
  'change_limit',
] as const;

export const ACTION_KINDS = [...REPAIR_KINDS, ...SETTING_KINDS] as const;

export type RepairKind = (typeof REPAIR_KINDS)[number];
export type SettingKind = (typeof SETTING_KINDS)[number];
export type ActionKind = RepairKind | SettingKind;

/** Where money goes, who may move it, and how much; all else is an operator's, too. */
const OF_ADMINS: readonly ActionKind[] = [...SETTING_KINDS, 'switch_account', 'disable_account'];

/** Who may ask for it, and approve it. */
export const leastRoleFor = (kind: ActionKind): Role =>
  OF_ADMINS.includes(kind) ? 'admin' : 'operator';

/** What an action is to be done to; which fields it has follows from its kind. */
export interface Target {
  /** The payment, order, job, exception, projection, mode, account, webhook, user, key or limit. */
  readonly subjectId: string;
  /** Of a refund; without it what is left. Minor units. */
  readonly amountMinor?: number;
  /** Of `reissue_refund` and `give_up_refund`: the request whose refund was not made. */
  readonly requestId?: string;
  /** Of `settle_call`: whose a refund or debit like the one asked for is; without it ours. */
  readonly refundIs?: RefundIs;
  /** Of a failed reaction: the workflow; the subject is its key. */
  readonly saga?: string;
  /** Of `discard_reaction`: what the workflow was seen to fail at. */
  readonly stimulus?: string;
  /** Of `poll_history`: the first day to be read again, YYYY-MM-DD. */
  readonly fromDay?: string;
  /** Of a key. */
  readonly platformId?: string;
  readonly scopes?: readonly Scope[];
  readonly expiresAt?: string;
  /** Of a user. */
  readonly role?: Role;
  readonly limit?: DailyLimit;
}

/** What begins with an approval: kept apart, as targets stand in the audit for ever. */
export interface Private {
  /** Of a password or key. */
  readonly secretHash?: string;
  /** Of a user. */
  readonly name?: string;
}

/** One request to do something. */
export interface Asked {
  /** `act_…`: what is done under it is done once. */
  readonly id: string;
  readonly target: Target;
  readonly reason: string;
  /** `user:<id>` of who asked, or `platform:<id> key:<prefix>`. */
  readonly actor: string;
  /** The second person's id, of what took one. */
  readonly approvedBy: string | null;
  readonly private: Private | null;
}

/** `expired`: nobody approved it in time. */
export const ACTION_STATUSES = [
  'pending',
  'executing',
  'done',
  'failed',
  'rejected',
  'expired',
] as const;

/** The money that an action is about. */
export interface About {
  readonly subjectType: 'order' | 'payment';
  readonly subjectId: string;
  readonly amountMinor: number;
  /** All that the order or payment is about. */
  readonly ofMinor: number;
  /** ISO 4217, lower case. */
  readonly currency: string;
}

/** What would be done; nothing has been. */
export interface Preview {
  /** Null where no money is meant, or none of one payment. */
  readonly about: About | null;
  readonly events: readonly {
    readonly streamType: string;
    readonly streamId: string;
    readonly type: string;
    readonly data: Readonly<Record<string, unknown>>;
  }[];
  /** Calls to the provider that are asked for, or that the action makes itself. */
  readonly calls: readonly ToldCall[];
  /** What workers would do then, calls to the provider among it: decided on what is true then. */
  readonly follows: readonly Follow[];
  /** What else would happen, or is to be known. */
  readonly notes: readonly Note[];
}

type Outcome = Readonly<Record<string, unknown>>;

/** One kind of repair. `preview` and `execute` throw a `Rejection` where it cannot be done. */
export type Action = {
  /** Money depends on it, so a second person must approve it. */
  readonly takesTwo: boolean;
  readonly subjectOf: (target: Target) => Subject;
  readonly preview: (asked: Asked) => Promise<Preview>;
} & (
  | {
      /** A step of the log: under an id that was carried out before it does nothing again. */
      readonly carriedOutAs: 'step';
      readonly execute: (asked: Asked) => Promise<Outcome>;
    }
  | {
      /** Rows: they are changed in the transaction that ends the action. */
      readonly carriedOutAs: 'rows';
      readonly execute: (asked: Asked, client: PoolClient) => Promise<Outcome>;
    }
);

export const NOTHING: Preview = { about: null, events: [], calls: [], follows: [], notes: [] };

/** When it happens, and when what it decides begins: both follow from when it is done. */
const TIMES: readonly string[] = ['at', 'ordersFrom'];

/** Of what a person has seen: the same where nothing but the time of it is another. */
export const digestOf = (preview: Preview): string => {
  const text = JSON.stringify(preview, (key, value: unknown) =>
    TIMES.includes(key) ? undefined : value,
  );
  return createHash('sha256').update(text).digest('base64url');
};

/** What begins in a step that is not committed has another id each time: none is shown. */
const withoutNewIds = <T>(value: T, step: Step | null): T => {
  const begun = (step?.appends ?? []).filter(({ expectedVersion }) => expectedVersion === 0);
  const text = begun.reduce(
    (json, { streamId }) => json.replaceAll(streamId, `${streamId.split('_', 1)[0]}_…`),
    JSON.stringify(value),
  );
  return JSON.parse(text) as T;
};

/** Workflows that cannot react to it: what would follow waits for their retry. */
const waitingOf = (step: Step | null): readonly Note[] =>
  (step?.sagas ?? []).flatMap(({ saga, write }): readonly Note[] =>
    write?.waiting ? [{ code: 'reaction_waits', saga }] : [],
  );

/** A step that was gathered and not committed, as people read it. */
export const previewOf = (
  step: Step | null,
  about: About | null,
  ...notes: readonly Note[]
): Preview => ({
  about,
  ...withoutNewIds(
    {
      events: (step?.appends ?? []).flatMap(({ streamType, streamId, events }) =>
        events.map(({ type, data }) => ({ streamType, streamId, type, data })),
      ),
      calls: (step?.effects ?? []).map(({ kind, subjectId }) => ({
        code: 'call_asked' as const,
        call: kind,
        subjectId,
      })),
    },
    step,
  ),
  follows: [],
  notes: [...notes, ...waitingOf(step)],
});
