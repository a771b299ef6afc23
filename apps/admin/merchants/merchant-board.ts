import { ApiProperty } from '@nestjs/swagger';
import type { Pool } from 'pg';
import { liftedRequirement } from '#onboarding';

/** So many stand in a column; all are in `listMerchants` with its status. */
const CARDS = 12;

class MerchantCard {
  @ApiProperty()
  id!: string;

  @ApiProperty()
  reference!: string;

  @ApiProperty()
  platformId!: string;

  @ApiProperty({ enum: ['test', 'live'] })
  mode!: string;

  @ApiProperty({ description: 'Whether orders may be placed for it.' })
  openForOrders!: boolean;

  @ApiProperty({ format: 'date-time' })
  draftedAt!: string;

  @ApiProperty({
    type: String, isArray: true, example: ['documents.kbis', 'signature'],
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
    enum: ['test', 'live'], isArray: true,
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
              'missing', coalesce(told.missing, '[]'))
              ORDER BY m.drafted_at DESC, m.merchant_id DESC) AS list
       FROM (SELECT * FROM merchant_list WHERE status = c.status
              ORDER BY drafted_at DESC, merchant_id DESC LIMIT ${CARDS}) m
       LEFT JOIN LATERAL (
         SELECT coalesce(e.data->'missing', e.data->'fields') AS missing FROM events e
          WHERE e.stream_type = 'merchant' AND e.stream_id = m.merchant_id
            AND e.type = CASE m.status WHEN 'notComplete' THEN 'RequirementsObserved'
                                       WHEN 'rejected' THEN 'RegistrationRejected' END
          ORDER BY e.version DESC LIMIT 1) told ON true) cards
   ORDER BY c.status`;

const MODES = 'SELECT mode FROM history_watermarks ORDER BY mode';

/** The onboarding at a glance. */
export const readBoard = async (pool: Pool): Promise<MerchantBoard> => {
  const { rows: columns } = await pool.query<BoardColumn>(BOARD);
  for (const card of columns.flatMap(({ cards }) => cards)) {
    // The log is read here as it was written, by whichever release.
    card.missing = card.missing.map(liftedRequirement);
  }
  const { rows: modes } = await pool.query<{ mode: string }>(MODES);
  return { columns, historyModes: modes.map(({ mode }) => mode) };
};
