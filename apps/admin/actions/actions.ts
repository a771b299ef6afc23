import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DatabaseError, Pool, type PoolClient } from 'pg';
import { inTransaction } from '#log';
import { AssertionFailed, Rejection } from '#kernel';
import {
  addActionRequest,
  type AuditEntry,
  type AuditOrigin,
  closeStep,
  recordAudit,
} from '#operations';
import { type Logger, LOGGER } from '#platform';
import { isProviderError } from '#psp';
import type { Acting } from '../access/allow.js';
import { asSeenBy, seeingEverything } from '../access/narrowed-reads.js';
import { lockActing, mustStillSee, stillSees } from '../access/still-acting.js';
import type { ActionAnswer } from './action-answers.js';
import { ActionStore, askedOf, RENEW_EVERY_MS } from './action-store.js';
import {
  type ActionKind,
  digestOf,
  leastRoleFor,
  type Private,
  type SettingKind,
  type Target,
} from './action.js';
import type { Preview } from './preview-items.js';
import { ActionCatalogue } from './catalogue.js';
import { withAmount } from './money-actions.js';
import { checkPair, requesterWithoutPermission } from './check-pair.js';
import { amountsOf, mustBeWithinLimit, mustSee, requesterMustSee } from './may-decide.js';
import { type End, type Outcome, outcomeOfGivenUp } from './give-up.js';

const RESUME_EVERY_MS = 30_000;

interface RequestedAction {
  readonly kind: ActionKind;
  readonly target: Target;
  readonly reason: string;
  readonly private?: Private;
}

const INTERRUPTED = {
  code: 'interrupted',
  message: 'the action was interrupted before it was executed: preview and request it again',
};

/**
 * Checks that the preview has not changed since the user saw it; `seen` is the digest that the user
 * saw.
 */
const mustBeAsSeen = (preview: Preview, seen: string): void => {
  if (seen === digestOf(preview)) return;
  throw new Rejection(
    'preview_changed',
    'the effect differs from the preview: preview the action again',
  );
};

/**
 * The outcome to record for a permanent error. After any other error the action may have been
 * executed: `resume` records whether it was.
 */
const failureOf = (error: unknown): { readonly code: string; readonly message: string } | null => {
  if (error instanceof Rejection) return { code: error.code, message: error.message };
  if (isProviderError(error)) return { code: `provider_${error.kind}`, message: error.message };
  // Whether the error is caused by a bug. SQLSTATE class 22: the database cannot store the value.
  const isBug =
    error instanceof AssertionFailed ||
    (error instanceof DatabaseError && error.code?.startsWith('22'));
  return isBug ? { code: 'bug', message: error.message } : null;
};

const entryOf = (
  row: ActionAnswer,
  action: string,
  detail: Readonly<Record<string, unknown>> = {},
): AuditEntry => ({
  action,
  subject: { type: row.subjectType, id: row.subjectId },
  reason: row.reason,
  detail: { kind: row.kind, actionId: row.id, target: row.target, ...detail },
});

/**
 * Handles repairs and settings from the request to the result. Actions that affect money need the
 * approval of a second person. An action is executed at most once. If it is interrupted, its result
 * is recorded later.
 */
@Injectable()
export class Actions implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | null = null;
  private resuming: Promise<void> = Promise.resolve();

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly catalogue: ActionCatalogue,
    private readonly rows: ActionStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Previews an action. Throws a `Rejection` with the reason if the action is impossible. */
  async preview(
    { kind, target, reason, ...request }: RequestedAction,
    by: Acting,
  ): Promise<Preview> {
    const { actor } = by;
    await mustSee(this.pool, by, this.catalogue.of(kind).subjectOf(target));
    const asked = {
      id: 'act_preview',
      target,
      reason,
      actor,
      approvedBy: null,
      private: request.private ?? null,
    };
    return this.catalogue.of(kind).preview(asked);
  }

  /**
   * Previews a pending action that the user may see. Throws
   * `Rejection('action_not_found' | 'not_pending')`, or the reason if the action is impossible.
   */
  async previewFor(id: string, by: Acting): Promise<Preview> {
    await asSeenBy(by, () => this.rows.get(id));
    // The preview is computed from all rows, as for the approval: their digests are compared.
    return seeingEverything(() => this.previewOf(id));
  }

  private async previewOf(id: string): Promise<Preview> {
    const row = await this.rows.get(id);
    if (row.status !== 'pending') throw notPending(row);
    return this.catalogue.of(row.kind).preview(askedOf(row, await this.rows.privateOf(id)));
  }

  /**
   * Executes the action, or stores it for approval. The user must have `seen` the preview of an
   * action that affects money. Throws `Rejection('not_seen' | 'preview_changed' |
   * 'already_requested')`, or the reason if the action is impossible.
   */
  async request(
    request: RequestedAction,
    seen: string | undefined,
    by: Acting,
  ): Promise<ActionAnswer> {
    const { kind } = request;
    const { takesTwo } = this.catalogue.of(kind);
    const preview = await this.preview(request, by);
    if (takesTwo && seen === undefined) {
      throw new Rejection(
        'not_seen',
        'preview the action first: `seen` is the digest of the preview',
      );
    }
    if (seen !== undefined) mustBeAsSeen(preview, seen);
    const id = await this.add(request, preview, by);
    return takesTwo ? this.rows.get(id) : this.runAction(id, by);
  }

  /**
   * Stores a setting for approval. It needs no preview, because the requester has entered all its
   * values. Throws `Rejection('already_requested')`, or the reason if the setting is impossible.
   */
  async requestSetting(
    setting: RequestedAction & { readonly kind: SettingKind },
    by: Acting,
  ): Promise<ActionAnswer> {
    const preview = await this.preview(setting, by);
    return this.rows.get(await this.add(setting, preview, by));
  }

  /**
   * Approves and executes the action of another user. Throws `Rejection` with the code
   * `own_action`, `own_change`, `not_pending` or `preview_changed`, with a code of `checkPair`, or
   * with the code that says why the action is impossible.
   */
  async approve(id: string, seen: string, by: Acting): Promise<ActionAnswer> {
    const row = await asSeenBy(by, () => this.rows.get(id));
    if (row.requestedBy === by.userId) {
      throw new Rejection('own_action', 'a second person must approve your request');
    }
    if (row.subjectType === 'user' && row.subjectId === by.userId) {
      throw new Rejection('own_change', 'another admin must approve changes of your account');
    }
    const preview = row.status === 'pending' ? await this.previewOf(id) : null;
    if (preview !== null) mustBeAsSeen(preview, seen);
    const requester = await requesterMustSee(this.pool, row);
    await inTransaction(this.pool, async (client) => {
      if (preview !== null) {
        const users = await checkPair(client, row.requestedBy, by, leastRoleFor(row.kind));
        mustStillSee(users, by);
        if (!stillSees(users, requester)) throw requesterWithoutPermission();
        const { kind, target } = row;
        const wanted = { id, kind, target, preview };
        await mustBeWithinLimit(client, users.get(by.userId), wanted);
        await mustBeWithinLimit(client, users.get(row.requestedBy), wanted, 'the requester');
      }
      if (!(await this.rows.approve(client, id, by.userId))) throw notPending(row);
      await recordAudit(client, by, entryOf(row, 'action.approved'));
    });
    return this.runAction(id, by);
  }

  /**
   * Rejects an action. A rejection by the requester withdraws the action. Throws
   * `Rejection('not_pending')`.
   */
  async reject(id: string, why: string, by: Acting): Promise<ActionAnswer> {
    const row = await asSeenBy(by, () => this.rows.get(id));
    await inTransaction(this.pool, async (client) => {
      mustStillSee(await lockActing(client, by, leastRoleFor(row.kind)), by);
      if (!(await this.rows.reject(client, id, by.userId))) throw notPending(row);
      await recordAudit(client, by, { ...entryOf(row, 'action.rejected'), reason: why });
    });
    return this.rows.get(id);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.resuming = this.resume().catch((err: unknown) =>
        this.logger.warn({ err }, 'interrupted actions cannot be ended now'),
      );
    }, RESUME_EVERY_MS);
    this.timer.unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    await this.resuming;
  }

  /**
   * Ends the actions whose process ended while it executed them. No action is executed here, because
   * its effect may not be the previewed effect any more: if its events are committed, only what
   * follows their commit is left; otherwise the action is marked failed.
   */
  async resume(): Promise<void> {
    await this.rows.expire();
    const origin = { actor: 'console', requestId: 'resumed' };
    const next = () => this.rows.claimLeft();
    for (let id = await next(); id !== null; id = await next()) {
      if (await this.isCommitted(id)) await this.runAction(id, origin);
      else await this.fail(await this.rows.get(id), INTERRUPTED, origin);
    }
  }

  /** Whether the events of an action are committed; if not, they cannot be committed any more. */
  private async isCommitted(id: string): Promise<boolean> {
    return (await inTransaction(this.pool, (client) => closeStep(client, id))) !== null;
  }

  private add(
    { kind, reason, ...request }: RequestedAction,
    preview: Preview,
    by: Acting,
  ): Promise<string> {
    const { takesTwo, subjectOf, fixed } = this.catalogue.of(kind);
    const { about } = preview;
    const target = withAmount(kind, request.target, preview);
    const subject = subjectOf(target);
    return inTransaction(this.pool, async (client) => {
      const users = await lockActing(client, by, leastRoleFor(kind));
      mustStillSee(users, by);
      const wanted = { id: '', kind, target, preview };
      await mustBeWithinLimit(client, users.get(by.userId), wanted);
      const actionId = await addActionRequest(client, {
        kind,
        target,
        subject,
        about,
        amounts: amountsOf(preview),
        reason,
        requestedBy: by.userId,
        needsApproval: takesTwo,
        private: request.private ?? fixed?.(preview) ?? null,
      });
      const detail = { kind, actionId, target };
      await recordAudit(client, by, { action: 'action.requested', subject, reason, detail });
      return actionId;
    });
  }

  private async runAction(id: string, origin: AuditOrigin): Promise<ActionAnswer> {
    const row = await this.rows.get(id);
    const renewal = setInterval(() => {
      this.rows
        .renew(id)
        .catch((err: unknown) =>
          this.logger.warn(
            { err, actionId: id },
            'the claim on an interrupted action could not be renewed',
          ),
        );
    }, RENEW_EVERY_MS);
    try {
      await this.execute(row, origin);
    } catch (error) {
      const failure = failureOf(error);
      if (failure === null) throw error;
      await this.fail(row, failure, origin);
    } finally {
      clearInterval(renewal);
    }
    return this.rows.get(id);
  }

  private async execute(row: ActionAnswer, origin: AuditOrigin): Promise<void> {
    const action = this.catalogue.of(row.kind);
    if (action.executedAs === 'rows') {
      const asked = askedOf(row, await this.rows.privateOf(row.id));
      await this.end(row, origin, async (client) => {
        return done((await action.execute(asked, client)) ?? {});
      });
      return;
    }
    const outcome = await action.execute(askedOf(row, null));
    await this.end(row, origin, () => Promise.resolve(done(outcome)));
  }

  /**
   * Marks an action as failed, unless its events are already committed: a process that was presumed
   * ended may have committed them. Then the action is marked as done.
   */
  private fail(row: ActionAnswer, failure: Outcome, origin: AuditOrigin): Promise<void> {
    return this.end(row, origin, (client) => outcomeOfGivenUp(client, row.id, failure));
  }

  /**
   * Ends an action in the transaction that makes the action's change; does nothing if another
   * process has already ended the action.
   */
  private end(
    row: ActionAnswer,
    origin: AuditOrigin,
    change: (client: PoolClient) => Promise<End>,
  ): Promise<void> {
    return inTransaction(this.pool, async (client) => {
      if (!(await this.rows.lock(client, row.id))) {
        this.logger.warn(
          { actionId: row.id },
          'another process has executed and ended this action',
        );
        return;
      }
      const { status, outcome } = await change(client);
      await this.rows.end(client, row.id, status, outcome);
      await recordAudit(client, origin, entryOf(row, `action.${status}`, { outcome }));
    });
  }
}

const done = (outcome: Outcome): End => ({ status: 'done', outcome });

const notPending = ({ status }: ActionAnswer): Rejection =>
  new Rejection('not_pending', `the action is not pending: it is ${status}`);
