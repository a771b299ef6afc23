import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ProblemDto } from '#platform';
import { CSRF_HEADER } from '../access/allow.js';
import { describeFields } from './field-meanings.js';

const DESCRIPTION = `The API of the operations console, not for other clients.

\`signIn\` starts a session, whose cookie is hidden from scripts. Each change needs \`X-CSRF-Token\`
(the session's \`csrfToken\`) and the console's origin. \`x-access\` is the least role of a route:
\`viewer\`, \`operator\` or \`admin\`; \`session\`: any session.
Background reads send \`X-Background: 1\`: they do not extend the session.
Errors are problem+json (RFC 9457): read \`code\`. Amounts are whole minor units.`;

/** Required by every change except signing in. */
const CSRF_PARAMETER = {
  name: CSRF_HEADER,
  in: 'header',
  description: '`csrfToken` of the session.',
  required: true,
  schema: { type: 'string' },
} as const;

/** The OpenAPI document of the admin API. */
export const openApiDocument = (app: NestFastifyApplication): OpenAPIObject => {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Payment orchestration admin API')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    extraModels: [ProblemDto],
    operationIdFactory: (_controller, method) => method,
  });
  describeFields(document);
  const paths = Object.entries(document.paths).filter(([path]) => path.startsWith('/v1/'));
  for (const [, { post, delete: end }] of paths) {
    for (const change of [post, end]) {
      const { 'x-access': access } = { ...change } as { 'x-access'?: unknown };
      if (access !== 'public') change?.parameters?.push(CSRF_PARAMETER);
    }
  }
  return { ...document, paths: Object.fromEntries(paths) };
};
