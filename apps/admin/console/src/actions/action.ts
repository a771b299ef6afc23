import { useQuery } from '@tanstack/react-query';
import { api, bodyOf, csrf, type Schemas } from '../api/client';

export type Action = Schemas['ActionAnswer'];
export type ActionKind = Schemas['ActionKind'];
export type RepairKind = Schemas['RepairKind'];
export type ActionStatus = Schemas['ActionStatus'];
export type About = NonNullable<Preview['about']>;
export type Preview = Schemas['PreviewAnswer'];
export type Target = Schemas['TargetDto'];

/** What somebody wishes to be put right. */
export interface Wish {
  readonly kind: RepairKind;
  readonly target: Target;
  /** Of a call: the payment or merchant that it is for. */
  readonly of?: string;
  /** Of a call: which it is. */
  readonly call?: string;
  /** Of the history: those that it is read of; `target` has the first of them. */
  readonly modes?: readonly string[];
  /** Of a refund: in what its amount is. */
  readonly currency?: string;
}

/** Of what moves money: nobody need approve it then. */
export const changesNothing = ({ events, calls, follows, notes }: Preview): boolean =>
  events.length + calls.length + follows.length === 0 &&
  !notes.some(({ code }) => code === 'exception_closed');

/** Of an admin; all else is an operator's, too. */
const OF_ADMINS: readonly ActionKind[] = [
  'create_api_key',
  'create_user',
  'change_role',
  'enable_user',
  'reset_password',
  'change_limit',
  'switch_account',
  'disable_account',
];

export const leastRoleFor = (kind: ActionKind) => (OF_ADMINS.includes(kind) ? 'admin' : 'operator');

/** What moves money, decides where it goes, or settles what became of it, waits for a second person. */
const MOVES_MONEY: readonly ActionKind[] = [
  'capture',
  'cancel',
  'refund',
  'reissue_refund',
  'give_up_refund',
  'settle_call',
  'discard_reaction',
  'close_exception',
  'switch_account',
  'disable_account',
];

/** A second person decides on these, too, though no money moves by them. */
export const onlyRecords = ({ kind, target }: Wish): boolean =>
  kind === 'give_up_refund' || (kind === 'settle_call' && target.refundIs !== 'others');

export const movesMoney = (kind: ActionKind): boolean => MOVES_MONEY.includes(kind);

/** What would be done, decided on what is true now; nothing is written. */
export const dryRun = (wish: Wish, reason: string): Promise<Preview> =>
  bodyOf(
    api.POST('/v1/actions/dry-run', {
      params: { header: csrf() },
      body: { kind: wish.kind, target: wish.target, reason },
    }),
  );

/** What was seen is done, or nothing. */
export const requestAction = (wish: Wish, reason: string, seen: Preview): Promise<Action> =>
  bodyOf(
    api.POST('/v1/actions', {
      params: { header: csrf() },
      body: { kind: wish.kind, target: wish.target, reason, seen: seen.digest },
    }),
  );

/** Their end is the end of it; of all others it is that a worker has been told. */
const ENDS_AT_ONCE: readonly ActionKind[] = [
  'settle_call',
  'give_up_refund',
  'refresh',
  'discard_reaction',
  'close_exception',
  'withdraw_account',
  ...OF_ADMINS,
];

export const endsAtOnce = (kind: ActionKind): boolean => ENDS_AT_ONCE.includes(kind);

export const ACTIONS_KEY = ['actions'] as const;

/** What waits for a second person, newest first. */
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
