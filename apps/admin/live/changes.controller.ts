import { Readable } from 'node:stream';
import { Controller, Get, Inject, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { Pool } from 'pg';
import { LogTail } from '#log';
import { Metrics, Problem, Slots } from '#platform';
import { isNarrowed, seesSame } from '../access/access-scope.js';
import { Allow, CurrentUser } from '../access/allow.js';
import { asSeenBy, seeingEverything } from '../access/narrowed-reads.js';
import { Sessions, type SignedIn } from '../access/sessions.js';
import { Answers } from '../shared/docs.js';
import { type Changed, ChangeStream } from './change-stream.js';

const MAX_OPEN = 500;
/** The maximum number of change streams per user; each open page has one stream. */
const MAX_OF_USER = 20;
const CHECK_EVERY_MS = 2_000;

/** A string that changes whenever an open issue begins, changes or ends. */
const MARK = `
  SELECT concat_ws(' ',
    (SELECT count(*) || ',' || coalesce(max(updated_at)::text, '') FROM sagas
      WHERE waiting IS NOT NULL),
    (SELECT count(*) || ',' || coalesce(max(updated_at)::text, '') FROM jobs
      WHERE state = 'stuck'),
    (SELECT count(*) FROM reconciliation_exceptions WHERE closed_at IS NULL),
    (SELECT string_agg(id || status, ',' ORDER BY id) FROM admin_actions
      WHERE status IN ('pending', 'executing')),
    (SELECT max(id) || ',' || max(events) || ',' || count(ended_at)
       FROM (SELECT id, events, ended_at FROM projection_rebuilds
              ORDER BY id DESC LIMIT 10) latest)) AS mark`;

const VISIBLE = `
  SELECT e.stream_type AS type, e.stream_id AS id
    FROM unnest($1::text[], $2::text[]) AS c(type, id)
    JOIN events e ON e.stream_type = c.type AND e.stream_id = c.id AND e.version = 1`;

const all = (changes: readonly Changed[]): Promise<readonly Changed[]> => Promise.resolve(changes);

const isUnchanged = (before: SignedIn, now: SignedIn | null): boolean =>
  now !== null && seesSame(before, now);

@ApiTags('Live')
@Controller('v1/changes')
export class ChangesController {
  private readonly slots = new Slots(MAX_OPEN, MAX_OF_USER);

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly sessions: Sessions,
    private readonly tail: LogTail,
    metrics: Metrics,
  ) {
    metrics.gauge('console_streams_open', 'Open change streams of consoles', [], (gauge) =>
      gauge.set(this.slots.count),
    );
  }

  @Get()
  @Allow('viewer', { isUse: false, narrowed: true })
  @ApiOperation({
    summary: 'Changes as server-sent events',
    description:
      '`changed`: `[{type, id, version, correlationId}]`, entities with new events. `many`: too ' +
      'many to list. `attention`: queues, actions, breaks or rebuilds. `beat`: a heartbeat after ' +
      'six seconds. The stream does not extend the session: send `X-Background: 1` with the ' +
      'reads that it causes.',
  })
  @Answers({ mediaTypes: ['text/event-stream'], description: 'An event stream that stays open.' })
  async followChanges(@CurrentUser() user: SignedIn, @Res() reply: FastifyReply): Promise<void> {
    const { userId, token } = user;
    // If the client disconnected while the session was read, no `close` event would end the stream.
    if (reply.raw.destroyed) return;
    if (!this.slots.hasRoom(userId)) {
      throw new Problem(503, 'too_many_streams', 'too many pages are open: close some');
    }
    const stream = new ChangeStream(
      () => asSeenBy(user, () => this.mark()),
      // The stream ends if the user's scope has changed; the page then opens a new stream.
      async () => isUnchanged(user, await this.sessions.find(token, { isUse: false })),
      CHECK_EVERY_MS,
      (changes) => (isNarrowed(user) ? asSeenBy(user, () => this.visible(changes)) : all(changes)),
    );
    const release = this.slots.take(userId);
    let unfollow = (): void => {};
    reply.raw.once('close', () => {
      release();
      unfollow();
      stream.end();
    });
    // The log is read once for all pages.
    ({ close: unfollow } = await seeingEverything(() => this.tail.follow(stream)));
    if (reply.raw.destroyed) return unfollow();
    await reply
      .headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
      .type('text/event-stream')
      .send(Readable.from(stream.frames(), { objectMode: false, highWaterMark: 16_384 }));
  }

  private async mark(): Promise<string> {
    return (await this.pool.query<{ mark: string }>(MARK)).rows[0]?.mark ?? '';
  }

  /**
   * Selects the changed entities that the user may see, i.e. those with at least one event that the
   * user can read.
   */
  private async visible(changes: readonly Changed[]): Promise<readonly Changed[]> {
    const { rows } = await this.pool.query<{ type: string; id: string }>(VISIBLE, [
      changes.map(({ type }) => type),
      changes.map(({ id }) => id),
    ]);
    const known = new Set(rows.map(({ type, id }) => `${type} ${id}`));
    return changes.filter(({ type, id }) => known.has(`${type} ${id}`));
  }
}
