import type { Instant } from '#kernel';
import { shape, TEXT } from '../api/answers.js';
import { answered, field } from '../api/fields.js';
import { resource, type StoredRow } from '../api/resource.js';
import { OPTIONAL_FLAG, valueOf } from '../api/values.js';
import { fixed, mutable } from '../storage/table.js';

const URL_TAKEN = shape<string>({ type: 'string', minLength: 9, maxLength: 2_048 });

export const ENDPOINTS = resource(
  {
    prefix: 'we',
    title: 'WebhookEndpoint',
    about: 'An endpoint that receives events.',
    table: 'webhook_endpoints',
    key: 'we',
    removed: 'nothing',
  },
  {
    url: field('The https URL to which events are sent.', valueOf(TEXT, URL_TAKEN), {
      required: true,
    }),
    enabled: field('Whether events are sent to the endpoint.', OPTIONAL_FLAG),
    /** The database contains the secret in encrypted form only. */
    secret: answered(
      'The HMAC key of the signatures, hexadecimal.',
      shape<string>({ type: 'string', pattern: '^[0-9a-f]{64}$' }),
    ),
    created_at: fixed<Instant>(),
    deleted_at: mutable<Instant | null>(),
  },
);

export type EndpointRow = StoredRow<typeof ENDPOINTS>;
