import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ProblemDto } from './problem-dto.js';

type Properties = Readonly<Record<string, { description?: string }>>;

/** The properties of each schema of a document. */
const propertiesOf = ({
  components,
}: OpenAPIObject): readonly (readonly [schema: string, Properties])[] =>
  Object.entries(components?.schemas ?? {}).map(([name, schema]) => [
    name,
    (schema as { readonly properties?: Properties }).properties ?? {},
  ]);

/**
 * The OpenAPI document of an app's routes under /v1. The id of an operation is the name of its
 * method in the controller. `meanings` contains the descriptions of fields that have none in their
 * class: by name (`id`), or by schema and name (`OrderItem.id`) if the name has different meanings.
 */
export const openApiOf = (
  app: NestFastifyApplication,
  about: DocumentBuilder,
  meanings: Readonly<Record<string, string>>,
): OpenAPIObject => {
  const config = about
    .setOpenAPIVersion('3.1.0')
    .setVersion('1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    extraModels: [ProblemDto],
    operationIdFactory: (_controller, method) => method,
  });
  for (const [schema, properties] of propertiesOf(document)) {
    for (const [name, property] of Object.entries(properties)) {
      const meaning = meanings[`${schema}.${name}`] ?? meanings[name];
      if (meaning !== undefined) property.description ??= meaning;
    }
  }
  const paths = Object.entries(document.paths).filter(([path]) => path.startsWith('/v1/'));
  return { ...document, paths: Object.fromEntries(paths) };
};
