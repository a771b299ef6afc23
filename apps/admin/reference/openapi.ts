import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject } from '@nestjs/swagger';
import { openApiOf } from '#platform';
import { CSRF_HEADER } from '../access/allow.js';
import { EXAMPLES } from './examples.js';
import { MEANINGS } from './field-meanings.js';
import { SCHEMA_MEANINGS } from './schema-meanings.js';

const DESCRIPTION = `The API of the operations console, not for other clients.

\`signIn\` starts a session, whose cookie is hidden from scripts. Each change needs \`X-CSRF-Token\`
(the session's \`csrfToken\`) and the console's origin. \`x-access\` is the least role of a route:
\`viewer\`, \`operator\` or \`admin\`; \`session\`: any session.
Background reads send \`X-Background: 1\`: they do not extend the session.
Errors are problem+json (RFC 9457): read \`code\`. Amounts are whole minor units.`;

/** The CSRF header parameter, which every change except signing in requires. */
const CSRF_PARAMETER = {
  name: CSRF_HEADER,
  in: 'header',
  description: '`csrfToken` of the session.',
  required: true,
  schema: { type: 'string' },
} as const;

/** The OpenAPI document of the admin API. */
export const openApiDocument = (app: NestFastifyApplication): OpenAPIObject => {
  const document = openApiOf(
    app,
    new DocumentBuilder()
      .setTitle('Payment orchestration admin API')
      .setDescription(DESCRIPTION)
      .addServer('/', 'This admin app'),
    { fields: MEANINGS, descriptions: SCHEMA_MEANINGS, examples: EXAMPLES },
  );
  for (const { post, delete: end } of Object.values(document.paths)) {
    for (const change of [post, end]) {
      const { 'x-access': access } = { ...change } as { 'x-access'?: unknown };
      if (access !== 'public') change?.parameters?.push(CSRF_PARAMETER);
    }
  }
  return document;
};
