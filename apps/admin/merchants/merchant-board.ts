import { ApiProperty } from '@nestjs/swagger';
import type { Pool } from 'pg';
import { ACCOUNT_MODES } from '#psp';
import { domainEvent, isKnownEvent, type StoredEvent, upcast } from '#log';
import type { MerchantEvent } from '#onboarding';
import { UPCASTERS } from '#orchestrator';
import { DateTime, Field, Integer, ListOf, OneOf } from '#platform';

/** The maximum number of cards in a column; `listMerchants` returns all merchants. */
const CARDS = 12;

class MerchantCard {
  @Field('The merchant’s id.')
  id!: string;

  @Field('The platform’s reference.')
  reference!: string;

  @Field('The platform of the merchant.')
  platformId!: string;

  @OneOf(ACCOUNT_MODES, 'The environment of the provider.')
  mode!: string;

  @Field('Whether orders can be placed for the merchant.')
  ordersEnabled!: boolean;

  @DateTime('When the merchant was drafted, business time.')
  draftedAt!: string;

  @ListOf(String, 'Missing or rejected requirements of the registration.', {
    example: ['documents.registration_extract', 'signature'],
  })
  missing!: readonly string[];
}

class BoardColumn {
  @Field('The onboarding status of the column.')
  status!: string;

  @Integer('The number of merchants in this status.')
  merchants!: number;

  @ListOf(MerchantCard, `The newest ${CARDS} merchants in this status.`)
  cards!: readonly MerchantCard[];
}

export class MerchantBoard {
  @ListOf(BoardColumn, 'One column per onboarding status.')
  columns!: readonly BoardColumn[];

  @ApiProperty({
    enum: ACCOUNT_MODES,
    isArray: true,
    description: 'The modes (test, live) whose status history is polled.',
  })
  historyModes!: readonly string[];
}

/**
 * Reads the board. The missing requirements of an incomplete registration are in the last poll,
 * those of a rejected registration in the rejection. In any other status the merchant has nothing
 * to add.
 */
const BOARD = `
  SELECT c.status, c.merchants, cards.list AS cards
    FROM (SELECT status, count(*)::int AS merchants FROM merchant_list GROUP BY status) c
   CROSS JOIN LATERAL (
     SELECT json_agg(json_build_object(
              'id', m.merchant_id, 'reference', m.reference, 'platformId', m.platform_id,
              'mode', m.mode, 'ordersEnabled', m.orders_enabled, 'draftedAt', m.drafted_at,
              'event', latest.event)
              ORDER BY m.drafted_at DESC, m.merchant_id DESC) AS list
       FROM (SELECT * FROM merchant_list WHERE status = c.status
              ORDER BY drafted_at DESC, merchant_id DESC LIMIT ${CARDS}) m
       LEFT JOIN LATERAL (
         SELECT json_build_object('version', e.version, 'type', e.type,
                  'schema_version', e.schema_version, 'data', e.data) AS event FROM events e
          WHERE e.stream_type = 'merchant' AND e.stream_id = m.merchant_id
            AND e.type = CASE m.status WHEN 'incomplete' THEN 'RequirementsObserved'
                                       WHEN 'rejected' THEN 'RegistrationRejected' END
          ORDER BY e.version DESC LIMIT 1) latest ON true) cards
   ORDER BY c.status`;

const MODES = 'SELECT mode FROM history_watermarks ORDER BY mode';

interface CardRow extends Omit<MerchantCard, 'missing'> {
  /** The event with the missing requirements, in the schema of the release that wrote the event. */
  readonly event: StoredEvent | null;
}

const missingIn = (streamId: string, stored: StoredEvent): readonly string[] => {
  const { type, schema_version: schemaVersion } = stored;
  if (!isKnownEvent(UPCASTERS, { type, schemaVersion })) return [];
  const event = domainEvent<MerchantEvent>(
    upcast(UPCASTERS, { streamType: 'merchant', streamId }, stored),
  );
  if (event.type === 'RequirementsObserved') return event.missing;
  return event.type === 'RegistrationRejected' ? event.fields : [];
};

const cardOf = ({ event, ...card }: CardRow): MerchantCard => ({
  ...card,
  missing: event === null ? [] : missingIn(card.id, event),
});

/** Merchants by onboarding status. */
export const readBoard = async (pool: Pool): Promise<MerchantBoard> => {
  const { rows } = await pool.query<Omit<BoardColumn, 'cards'> & { cards: readonly CardRow[] }>(
    BOARD,
  );
  const columns = rows.map(({ cards, ...column }) => ({ ...column, cards: cards.map(cardOf) }));
  const { rows: modes } = await pool.query<{ mode: string }>(MODES);
  return { columns, historyModes: modes.map(({ mode }) => mode) };
};
