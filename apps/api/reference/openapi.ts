import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ProblemDto } from '#platform';
import { errorList } from '../shared/error-codes.js';
import { describeFields } from './field-meanings.js';

const DESCRIPTION = `Orders, their payments and their whole history, for platforms that sell on
behalf of many merchants.

Every request carries an API key (\`Authorization: Bearer …\`), every POST an \`Idempotency-Key\`.
Errors are problem+json (RFC 9457): read \`code\`. Amounts are whole minor units.

## Errors

${errorList()}`;

/** The OpenAPI document of the platforms' API, generated from the code. */
export const openApiDocument = (app: NestFastifyApplication): OpenAPIObject => {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Payment orchestration API')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'po_<id>_<secret>' })
    .build();
  const document = SwaggerModule.createDocument(app, config, { extraModels: [ProblemDto] });
  describeFields(document);
  const paths = Object.entries(document.paths).filter(([path]) => path.startsWith('/v1/'));
  return { ...document, paths: Object.fromEntries(paths) };
};
