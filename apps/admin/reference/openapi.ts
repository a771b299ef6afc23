import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ProblemDto } from '#platform';

const DESCRIPTION = `What the console for operations works with; for nobody else.

A session begins by \`signIn\` and lives in a cookie that no script reads. Each change carries
\`X-CSRF-Token\` (the session's \`csrfToken\`) and comes from the console's own origin. \`x-access\` is
the least role of a route: \`viewer\`, \`operator\` or \`admin\`; \`session\`: any session.
What the console reads by itself carries \`X-Background: 1\`: it keeps no session alive.
Errors are problem+json (RFC 9457): read \`code\`. Amounts are whole minor units.`;

/** The console's API as its code says it is. */
export const openApiDocument = (app: NestFastifyApplication): OpenAPIObject => {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Payment orchestration admin API')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .build();
  const document = SwaggerModule.createDocument(app, config, { extraModels: [ProblemDto] });
  const paths = Object.entries(document.paths).filter(([path]) => path.startsWith('/v1/'));
  return { ...document, paths: Object.fromEntries(paths) };
};
