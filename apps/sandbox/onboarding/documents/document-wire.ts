import { listOf, shape, TEXT } from '../../api/answers.js';
import { exactly, idOf } from '../wire/schema.js';
import { wireQuery } from '../wire/wire-check.js';
import { MEDIA_TYPES } from './media-type.js';

export const documentQuery = wireQuery({ company: TEXT, document: TEXT });

export const uploadResultAnswer = exactly({
  company: idOf('comp'),
  files: listOf(
    exactly({
      'file-type': shape<string>({ type: 'string', enum: MEDIA_TYPES }),
      id: idOf('dcmt'),
      'user-file-name': TEXT,
    }),
  ),
});
