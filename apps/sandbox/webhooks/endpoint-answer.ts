import { answer, FLAG, idOf, pageOf, TEXT } from '../api/answers.js';
import type { EndpointRow } from './endpoint-row.js';

type Told = Pick<EndpointRow, 'id' | 'url' | 'enabled' | 'secret'>;

export const ENDPOINT_ANSWER = answer<Told>({
  id: idOf('we'), url: TEXT, enabled: FLAG,
  secret: { type: 'string', pattern: '^[0-9a-f]{64}$' },
});
export const ENDPOINT_LIST_ANSWER = pageOf('webhook_endpoints', ENDPOINT_ANSWER);
