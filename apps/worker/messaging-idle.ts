import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Messaging } from '#messaging';
import { IdleChecks } from '#platform';

/** The followed clock waits until all that is in the log has been told and dealt with. */
@Injectable()
export class MessagingIdle {
  constructor(messaging: Messaging, idle: IdleChecks, pool: Pool) {
    idle.add({
      name: 'messaging',
      look: async () => {
        const { rows } = await pool.query<{ last: string | null }>({
          name: 'log-last', text: 'SELECT max(position)::text AS last FROM events',
        });
        const busy = (await messaging.isIdle()) ? null : 'events are not told or taken yet';
        return { busy, mark: String(rows[0]?.last) };
      },
    });
  }
}
