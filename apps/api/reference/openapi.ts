import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject } from '@nestjs/swagger';
import { openApiOf } from '#platform';
import { EXAMPLES } from './examples.js';
import { MEANINGS } from './field-meanings.js';
import { SCHEMA_MEANINGS } from './schema-meanings.js';
import { schemaName } from './schema-names.js';

const DESCRIPTION = `Orders, their payments and their whole history, for platforms that sell on
behalf of many merchants.

Every request carries an API key (\`Authorization: Bearer …\`), every POST an \`Idempotency-Key\`.
Errors are problem+json (RFC 9457): handle them by \`code\`. Amounts are whole minor units.
\`/asyncapi.yaml\` describes the events on Kafka, which webhooks and \`GET /v1/events\` send, too.`;

/** The OpenAPI document of the platforms' API, generated from the code. */
export const openApiDocument = (app: NestFastifyApplication): OpenAPIObject =>
  openApiOf(
    app,
    new DocumentBuilder()
      .setTitle('Payment orchestration API')
      .setDescription(DESCRIPTION)
      .addServer('/', 'This api')
      .addServer('http://127.0.0.1:4100', 'The api of npm run demo')
      .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'po_<id>_<secret>' }),
    {
      fields: MEANINGS,
      descriptions: SCHEMA_MEANINGS,
      examples: EXAMPLES,
      nameOf: schemaName,
    },
  );
