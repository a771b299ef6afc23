import { useQuery } from '@tanstack/react-query';
import { api, bodyOf, csrf, type Schemas } from '../api/client';

export type Action = Schemas['ActionAnswer'];
export type ActionKind = Schemas['ActionKind'];
export type RepairKind = Schemas['RepairKind'];
export type ActionStatus = Schemas['ActionStatus'];
export type About = NonNullable<Preview['about']>;
export type Preview = Schemas['PreviewAnswer'];
export type Target = Schemas['TargetDto'];

/** An action that the user can request. */
export interface ActionRequest {
  readonly kind: RepairKind;
  readonly target: Target;
  /** The payment or merchant of a provider request. */
  readonly of?: string;
  /** The kind of a provider request. */
  readonly call?: string;
  /**
   * The modes (test, live) whose status history can be polled; `target` contains the first mode.
   */
  readonly modes?: readonly string[];
  /** The currency of a refund's amount. */
  readonly currency?: string;
}

/** Whether the action has no effect now. An action without effect needs no approval. */
const changesNothing = ({ events, calls, follows, notes }: Preview): boolean =>
  events.length + calls.length + follows.length === 0 &&
  !notes.some(({ code }) => code === 'exception_closed');

/** The actions that only admins can request; operators can request all others. */
const OF_ADMINS: readonly ActionKind[] = [
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
  'switch_account',
  'disable_account',
];

/**
 * Whether the action was requested by the signed-in user, who therefore cannot approve the action.
 */
export const isOwnRequest = ({ requestedBy }: Action, userId: string): boolean =>
  requestedBy === userId || requestedBy === `user:${userId}`;

export const leastRoleFor = (kind: ActionKind) => (OF_ADMINS.includes(kind) ? 'admin' : 'operator');

/**
 * The actions that move money or change what is recorded about money: they need the approval of a
 * second person.
 */
const MOVES_MONEY: readonly ActionKind[] = [
  'capture',
  'cancel',
  'refund',
  'reissue_refund',
  'abandon_refund',
  'resolve_result',
  'review_mismatches',
  'retry_requests',
  'discard_reaction',
  'close_exception',
  'accept_line',
  'switch_account',
  'disable_account',
];

/**
 * Whether the action changes only what is recorded about money. Such an action needs an approval,
 * although no money moves.
 */
export const onlyRecords = ({ kind, target }: ActionRequest): boolean =>
  kind === 'abandon_refund' ||
  kind === 'accept_line' ||
  kind === 'review_mismatches' ||
  (kind === 'resolve_result' && target.refundIs !== 'others');

export const movesMoney = (kind: ActionKind): boolean => MOVES_MONEY.includes(kind);

/** Whether an action that would need an approval has no effect now; false without a preview. */
export const hasNoEffect = (kind: ActionKind, preview: Preview | undefined): boolean =>
  movesMoney(kind) && preview !== undefined && changesNothing(preview);

/** Previews the effect of an action on the current state; nothing is written. */
export const dryRun = (request: ActionRequest, reason: string): Promise<Preview> =>
  bodyOf(
    api.POST('/v1/actions/dry-run', {
      params: { header: csrf() },
      body: { kind: request.kind, target: request.target, reason },
    }),
  );

/** Requests an action. The server rejects the request if the effect differs from the preview. */
export const requestAction = (
  request: ActionRequest,
  reason: string,
  seen: Preview,
): Promise<Action> =>
  bodyOf(
    api.POST('/v1/actions', {
      params: { header: csrf() },
      body: { kind: request.kind, target: request.target, reason, seen: seen.digest },
    }),
  );

/**
 * The actions whose effect is complete when their status is done. The other actions only queue
 * work, which a worker does later.
 */
const ENDS_AT_ONCE: readonly ActionKind[] = [
  'resolve_result',
  'abandon_refund',
  'review_mismatches',
  'refresh',
  'discard_reaction',
  'close_exception',
  'accept_line',
  'withdraw_account',
  'disable_endpoint',
  'enable_endpoint',
  ...OF_ADMINS,
];

export const endsAtOnce = (kind: ActionKind): boolean => ENDS_AT_ONCE.includes(kind);

export const ACTIONS_KEY = ['actions'] as const;

/** The action requests awaiting approval, newest first. */
export const usePendingActions = () =>
  useQuery({
    queryKey: [...ACTIONS_KEY, 'pending'],
    queryFn: async () =>
      (
        await bodyOf(
          api.GET('/v1/actions', { params: { query: { status: 'pending', limit: 200 } } }),
        )
      ).items,
    refetchInterval: 30_000,
  });
