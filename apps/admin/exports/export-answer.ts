import { DateTime, Field, Integer, Nullable, OneOf } from '#platform';
import { listOf } from '../shared/docs.js';
import { EXPORT_FAILURES, EXPORT_STATES, type Export } from './exports.js';

export class ExportAnswer implements Export {
  @Field('The id of the export.', { example: 'exp_3xKq0Zb7Yw2m4c9NfTgV1hJa' })
  id!: string;

  @Field('The name of the list.', { example: 'payments' })
  list!: string;

  @OneOf(EXPORT_STATES, '`running`: rows are being written. `ready`: the file can be downloaded.')
  state!: Export['state'];

  @Nullable(
    String,
    'Why there is no file, else null. `too_many_rows`: more than a million rows match. `refused`: ' +
      'the search finds too much. `error`: several attempts failed.',
    { enum: [...EXPORT_FAILURES] },
  )
  failure!: Export['failure'];

  @Integer('The rows written so far.', { example: 52_000 })
  rows!: number;

  @Integer('The bytes written so far.', { example: 8_400_000 })
  bytes!: number;

  @DateTime('When the export was requested.')
  requestedAt!: Date;

  @DateTime('When the file is deleted.')
  expiresAt!: Date;
}

export class ExportList extends listOf(ExportAnswer) {}
