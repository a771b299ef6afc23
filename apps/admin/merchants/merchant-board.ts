import { ApiProperty } from '@nestjs/swagger';
import type { Pool } from 'pg';
import { ACCOUNT_MODES } from '#psp';
import { domainEvent, isKnownEvent, type StoredEvent, upcast } from '#log';
import type { MerchantEvent } from '#onboarding';
import { UPCASTERS } from '#orchestrator';

/** So many stand in a column; all are in `listMerchants` with its status. */
const CARDS = 12;

class MerchantCard {
  @ApiProperty()
  id!: string;

  @ApiProperty()
  reference!: string;

  @ApiProperty()
  platformId!: string;

  @ApiProperty({ enum: ACCOUNT_MODES })
  mode!: string;

  @ApiProperty({ description: 'Whether orders may be placed for it.' })
  openForOrders!: boolean;

  @ApiProperty({ format: 'date-time' })
  draftedAt!: string;

  @ApiProperty({
    type: String,
    isArray: true,
    example: ['documents.registration_extract', 'signature'],
    description: 'Fields, documents and steps that the registration lacks or was refused for.',
  })
  missing!: readonly string[];
}

class BoardColumn {
  @ApiProperty()
  status!: string;

  @ApiProperty({ type: 'integer', description: 'All in this status.' })
  merchants!: number;

  @ApiProperty({ type: MerchantCard, isArray: true, description: `The newest ${CARDS} of them.` })
  cards!: readonly MerchantCard[];
}

export class MerchantBoard {
  @ApiProperty({ type: BoardColumn, isArray: true })
  columns!: readonly BoardColumn[];

  @ApiProperty({
    enum: ACCOUNT_MODES,
    isArray: true,
    description: 'The modes whose status history is read: `poll_history` is for these.',
  })
  historyModes!: readonly string[];
}

/**
 * What is missing is told by the last reading of the registration while it is not complete, and by
 * its refusal; later statuses lack nothing that a merchant could add.
 */
const BOARD = `
  SELECT c.status, c.merchants, cards.list AS cards
    FROM (SELECT status, count(*)::int AS merchants FROM merchant_list GROUP BY status) c
   CROSS JOIN LATERAL (
     SELECT json_agg(json_build_object(
              'id', m.merchant_id, 'reference', m.reference, 'platformId', m.platform_id,
              'mode', m.mode, 'openForOrders', m.open_for_orders, 'draftedAt', m.drafted_at,
              'event', told.event)
              ORDER BY m.drafted_at DESC, m.merchant_id DESC) AS list
       FROM (SELECT * FROM merchant_list WHERE status = c.status
              ORDER BY drafted_at DESC, merchant_id DESC LIMIT ${CARDS}) m
       LEFT JOIN LATERAL (
         SELECT json_build_object('version', e.version, 'type', e.type,
                  'schema_version', e.schema_version, 'data', e.data) AS event FROM events e
          WHERE e.stream_type = 'merchant' AND e.stream_id = m.merchant_id
            AND e.type = CASE m.status WHEN 'incomplete' THEN 'RequirementsObserved'
                                       WHEN 'rejected' THEN 'RegistrationRejected' END
          ORDER BY e.version DESC LIMIT 1) told ON true) cards
   ORDER BY c.status`;

const MODES = 'SELECT mode FROM history_watermarks ORDER BY mode';

interface CardRow extends Omit<MerchantCard, 'missing'> {
  /** That says what is missing, as it was written, by whichever release. */
  readonly event: StoredEvent | null;
}

const missingIn = (streamId: string, stored: StoredEvent): readonly string[] => {
  const { type, schema_version: schemaVersion } = stored;
  if (!isKnownEvent(UPCASTERS, { type, schemaVersion })) return [];
  const data = upcast(UPCASTERS, { streamType: 'merchant', streamId }, stored);
  const event = domainEvent<MerchantEvent>({ type, data });
  if (event.type === 'RequirementsObserved') return event.missing;
  return event.type === 'RegistrationRejected' ? event.fields : [];
};

const cardOf = ({ event, ...card }: CardRow): MerchantCard => ({
  ...card,
  missing: event === null ? [] : missingIn(card.id, event),
});

/** The onboarding at a glance. */
export const readBoard = async (pool: Pool): Promise<MerchantBoard> => {
  const { rows } = await pool.query<Omit<BoardColumn, 'cards'> & { cards: readonly CardRow[] }>(
    BOARD,
  );
  const columns = rows.map(({ cards, ...column }) => ({ ...column, cards: cards.map(cardOf) }));
  const { rows: modes } = await pool.query<{ mode: string }>(MODES);
  return { columns, historyModes: modes.map(({ mode }) => mode) };
};
