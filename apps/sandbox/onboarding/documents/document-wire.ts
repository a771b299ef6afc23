import { exactly, idOf, listOf, TEXT } from '../wire/schema.js';
import { wireQuery } from '../wire/wire-check.js';
import { MEDIA_TYPES } from './media-type.js';

export const documentQuery = wireQuery<{ readonly company: string; readonly document: string }>({
  company: { type: 'string' }, document: { type: 'string' },
});

export const uploadResultAnswer = exactly({
  company: idOf('comp'),
  files: listOf(exactly({
    'file-type': { type: 'string', enum: MEDIA_TYPES }, id: idOf('dcmt'), 'user-file-name': TEXT,
  })),
});
