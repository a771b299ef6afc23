import { Injectable } from '@nestjs/common';
import type { Instant } from '#kernel';
import { addLines } from '../../money/waiting-lines.js';
import { nextDueOf } from '../../storage/next-due.js';
import { Store } from '../../storage/store.js';
import { dueMove, moveDispute, type MovedDispute } from './move-dispute.js';

const CHUNK = 1_000;

const DUE = {
  name: 'due:disputes',
  text: `SELECT id FROM disputes WHERE due_at <= $1 ORDER BY due_at, id LIMIT ${CHUNK}`,
};
/**
 * Reads the due disputes again under the locks: evidence or a manual decision may have changed
 * them.
 */
const STILL_DUE = {
  name: 'due:disputes-still',
  text: `SELECT t.*, card.scenario FROM disputes t
         JOIN payments p ON p.id = t.payment_id LEFT JOIN cards card ON card.id = p.card_id
         WHERE t.id = ANY($1) AND t.due_at <= $2 ORDER BY t.id FOR NO KEY UPDATE OF t`,
};

/**
 * Executes the timed transitions of disputes: review and decision of evidence, and the end of the
 * response time.
 */
@Injectable()
export class DisputesOnClock {
  constructor(private readonly store: Store) {}

  nextDue(): Promise<Instant | null> {
    return nextDueOf(this.store.database, 'disputes');
  }

  async begin(upTo: Instant): Promise<void> {
    for (;;) {
      const due = await this.store.database.query<{ id: string }>(DUE, [upTo]);
      if (due.length === 0) return;
      await this.store.decide(async (tx, unit) => {
        const ids = due.map(({ id }) => id);
        const disputes = await tx.query<MovedDispute>(STILL_DUE, [ids, upTo]);
        const lines = disputes.flatMap((dispute) => {
          if (dispute.due_at === null) return [];
          const { line } = moveDispute(unit, dispute, dueMove(dispute), dispute.due_at);
          return line === null ? [] : [line];
        });
        await addLines(tx, unit, lines);
      });
    }
  }
}
