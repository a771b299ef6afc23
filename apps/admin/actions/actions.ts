import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DatabaseError, Pool, type PoolClient } from 'pg';
import { inTransaction } from '#log';
import { AssertionFailed, Rejection } from '#kernel';
import { addActionRequest } from '#operations';
import { type Logger, LOGGER } from '#platform';
import { isProviderError } from '#psp';
import type { SignedIn } from '../access/sessions.js';
import { lockActing } from '../access/still-acting.js';
import { Audit, type AuditEntry, type AuditOrigin } from '../shared/audit.js';
import type { ActionAnswer } from './action-answers.js';
import { ActionStore, askedOf, RENEW_EVERY_MS } from './action-store.js';
import {
  type ActionKind,
  digestOf,
  leastRoleFor,
  type Preview,
  type Private,
  type SettingKind,
  type Target,
} from './action.js';
import { ActionCatalogue } from './catalogue.js';
import { checkPair } from './check-pair.js';
import { type End, type Outcome, outcomeOfGivenUp } from './give-up.js';

const RESUME_EVERY_MS = 30_000;
/** Some previews read the provider, with a key whose patience the workers need. */
const PREVIEW_KEPT_MS = 5_000;

interface Wish {
  readonly kind: ActionKind;
  readonly target: Target;
  readonly reason: string;
  readonly private?: Private;
}

const LEFT_TOO_LONG = {
  code: 'left_too_long',
  message: 'it was cut off, and is not gone on with so much later',
};

/** `seen`: the `digestOf` the preview that somebody has decided upon. */
const mustBeAsSeen = (preview: Preview, seen: string): void => {
  if (seen === digestOf(preview)) return;
  throw new Rejection('preview_changed', 'what would be done is not what you saw: look again');
};

/** A final no. Everything else may be over in a moment: the action is then carried out again. */
const failureOf = (error: unknown): { readonly code: string; readonly message: string } | null => {
  if (error instanceof Rejection) return { code: error.code, message: error.message };
  if (isProviderError(error)) return { code: `provider_${error.kind}`, message: error.message };
  // SQLSTATE class 22: a value that the database cannot take, now or ever.
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
 * Repairs and settings, from the request to the result. What money depends on waits for a second
 * person. What was begun is ended, also after a crash, and nothing is done twice.
 */
@Injectable()
export class Actions implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly previews = new Map<string, Promise<Preview>>();
  private timer: NodeJS.Timeout | null = null;
  private resuming: Promise<void> = Promise.resolve();

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly catalogue: ActionCatalogue,
    private readonly rows: ActionStore,
    private readonly audit: Audit,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** What would be done. Throws why it cannot be. */
  preview({ kind, target, reason, ...wish }: Wish, { userId }: SignedIn): Promise<Preview> {
    const asked = {
      id: 'act_preview',
      target,
      reason,
      actor: `user:${userId}`,
      approvedBy: null,
      private: wish.private ?? null,
    };
    return this.catalogue.of(kind).preview(asked);
  }

  /** What an action that waits would do now, or a moment ago. Throws `Rejection('not_pending')`. */
  async previewOf(id: string): Promise<Preview> {
    const row = await this.rows.get(id);
    if (row.status !== 'pending') throw notPending(row);
    const known = this.previews.get(id);
    if (known !== undefined) return known;
    const kept = await this.rows.privateOf(id);
    const preview = this.catalogue.of(row.kind).preview(askedOf(row, kept));
    this.previews.set(id, preview);
    setTimeout(() => this.previews.delete(id), PREVIEW_KEPT_MS).unref();
    return preview;
  }

  /**
   * Carries it out at once, or keeps it for a second person: what moves money must have been `seen`.
   * Throws `Rejection('not_seen' | 'preview_changed' | 'already_asked')`, and why it cannot be done.
   */
  async request(
    wish: Wish,
    seen: string | undefined,
    user: SignedIn,
    origin: AuditOrigin,
  ): Promise<ActionAnswer> {
    const { kind } = wish;
    const { takesTwo } = this.catalogue.of(kind);
    const preview = await this.preview(wish, user);
    if (takesTwo && seen === undefined) {
      throw new Rejection('not_seen', 'look at the dry run first: `seen` is its digest');
    }
    if (seen !== undefined) mustBeAsSeen(preview, seen);
    const id = await this.add(wish, preview, user, origin);
    return takesTwo ? this.rows.get(id) : this.carryOut(id, origin);
  }

  /**
   * A setting waits for a second person. Who asks has typed all of it, and need not see it before.
   * Throws `Rejection('already_asked')`, and why it cannot be done.
   */
  async requestSetting(
    setting: Wish & { readonly kind: SettingKind },
    user: SignedIn,
    origin: AuditOrigin,
  ): Promise<ActionAnswer> {
    const preview = await this.preview(setting, user);
    return this.rows.get(await this.add(setting, preview, user, origin));
  }

  /**
   * By somebody else than who asked. Throws `Rejection('own_action' | 'not_pending' |
   * 'preview_changed')`, as `checkPair`, and why it cannot be done where it was `seen`.
   */
  async approve(
    id: string,
    seen: string,
    user: SignedIn,
    origin: AuditOrigin,
  ): Promise<ActionAnswer> {
    const row = await this.rows.get(id);
    if (row.requestedBy === user.userId) {
      throw new Rejection('own_action', 'a second person approves what you ask for');
    }
    if (row.status === 'pending') {
      this.previews.delete(id);
      mustBeAsSeen(await this.previewOf(id), seen);
    }
    await inTransaction(this.pool, async (client) => {
      if (row.status === 'pending') {
        await checkPair(client, row.requestedBy, user, leastRoleFor(row.kind));
      }
      if (!(await this.rows.approve(client, id, user.userId))) throw notPending(row);
      await this.audit.record(origin, entryOf(row, 'action.approved'), client);
    });
    return this.carryOut(id, origin);
  }

  /** Also by who asked: it is withdrawn then. Throws `Rejection('not_pending')`. */
  async reject(
    id: string,
    why: string,
    user: SignedIn,
    origin: AuditOrigin,
  ): Promise<ActionAnswer> {
    const row = await this.rows.get(id);
    await inTransaction(this.pool, async (client) => {
      await lockActing(client, user, leastRoleFor(row.kind));
      if (!(await this.rows.reject(client, id, user.userId))) throw notPending(row);
      await this.audit.record(origin, { ...entryOf(row, 'action.rejected'), reason: why }, client);
    });
    return this.rows.get(id);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.resuming = this.resume().catch((err: unknown) =>
        this.logger.warn({ err }, 'actions that were left cannot be carried out now'),
      );
    }, RESUME_EVERY_MS);
    this.timer.unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    await this.resuming;
  }

  /** Carries out what a process that is gone had begun; what was decided on long ago has failed. */
  async resume(): Promise<void> {
    await this.rows.expire();
    const origin = { actor: 'console', requestId: 'resumed' };
    const next = () => this.rows.claimLeft();
    for (let left = await next(); left !== null; left = await next()) {
      const { id, isTooLate } = left;
      if (isTooLate) await this.fail(await this.rows.get(id), LEFT_TOO_LONG, origin);
      else await this.carryOut(id, origin);
    }
  }

  private add(
    { kind, target, reason, ...wish }: Wish,
    { about }: Preview,
    user: SignedIn,
    origin: AuditOrigin,
  ): Promise<string> {
    const { takesTwo, subjectOf } = this.catalogue.of(kind);
    const subject = subjectOf(target);
    return inTransaction(this.pool, async (client) => {
      await lockActing(client, user, leastRoleFor(kind));
      const actionId = await addActionRequest(client, {
        kind,
        target,
        subject,
        about,
        reason,
        requestedBy: user.userId,
        needsApproval: takesTwo,
        private: wish.private ?? null,
      });
      const detail = { kind, actionId, target };
      await this.audit.record(
        origin,
        { action: 'action.requested', subject, reason, detail },
        client,
      );
      return actionId;
    });
  }

  private async carryOut(id: string, origin: AuditOrigin): Promise<ActionAnswer> {
    const row = await this.rows.get(id);
    const renewal = setInterval(() => {
      this.rows
        .renew(id)
        .catch((err: unknown) =>
          this.logger.warn({ err, actionId: id }, 'an action under way could not be claimed anew'),
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
    if (action.carriedOutAs === 'rows') {
      const asked = askedOf(row, await this.rows.privateOf(row.id));
      await this.end(row, origin, async (client) => done(await action.execute(asked, client)));
      return;
    }
    const outcome = await action.execute(askedOf(row, null));
    await this.end(row, origin, () => Promise.resolve(done(outcome)));
  }

  /** Unless it was done: somebody who was taken for gone may have committed its step. */
  private fail(row: ActionAnswer, failure: Outcome, origin: AuditOrigin): Promise<void> {
    return this.end(row, origin, (client) => outcomeOfGivenUp(client, row.id, failure));
  }

  /** In one transaction with what changes; nothing where somebody else has ended it. */
  private end(
    row: ActionAnswer,
    origin: AuditOrigin,
    change: (client: PoolClient) => Promise<End>,
  ): Promise<void> {
    return inTransaction(this.pool, async (client) => {
      if (!(await this.rows.lock(client, row.id))) {
        this.logger.warn({ actionId: row.id }, 'an action was ended by another who carried it out');
        return;
      }
      const { status, outcome } = await change(client);
      await this.rows.end(client, row.id, status, outcome);
      await this.audit.record(origin, entryOf(row, `action.${status}`, { outcome }), client);
    });
  }
}

const done = (outcome: Outcome): End => ({ status: 'done', outcome });

const notPending = ({ status }: ActionAnswer): Rejection =>
  new Rejection('not_pending', `the action waits for nobody: it is ${status}`);
