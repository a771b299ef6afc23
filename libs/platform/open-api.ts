import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { assert } from '#kernel';
import { ProblemDto } from './problem-dto.js';
import { documentedSchemas, type SchemaDocs } from './schema-docs.js';

/** The texts of an OpenAPI document that are not in the code of its routes and classes. */
export interface DocumentWords extends SchemaDocs {
  /**
   * The descriptions of fields that have none in their class: by name (`id`), or by schema and name
   * (`OrderItem.id`) if the name has different meanings.
   */
  readonly fields: Readonly<Record<string, string>>;
  /** The name of a class's schema. Default: the name of the class. */
  readonly nameOf?: (className: string) => string;
}

type Properties = Readonly<Record<string, { description?: string }>>;

/** The properties of each schema of an OpenAPI document. */
const propertiesOf = ({
  components,
}: OpenAPIObject): readonly (readonly [schema: string, Properties])[] =>
  Object.entries(components?.schemas ?? {}).map(([name, schema]) => [
    name,
    (schema as { readonly properties?: Properties }).properties ?? {},
  ]);

/**
 * Renames the schemas, also in references and descriptions. Two schemas must not get the same name.
 */
const renamed = (document: OpenAPIObject, nameOf: (className: string) => string): OpenAPIObject => {
  const classNames = Object.keys(document.components?.schemas ?? {});
  assert(new Set(classNames.map(nameOf)).size === classNames.length, 'schema names are unique');
  const anyName = new RegExp(`\\b(?:${classNames.join('|')})\\b`, 'g');
  return JSON.parse(JSON.stringify(document).replaceAll(anyName, nameOf)) as OpenAPIObject;
};

/**
 * The OpenAPI document of an app's routes under /v1. The id of an operation is the name of its
 * method in the controller.
 */
export const openApiOf = (
  app: NestFastifyApplication,
  about: DocumentBuilder,
  { fields, nameOf, ...docs }: DocumentWords,
): OpenAPIObject => {
  const config = about
    .setOpenAPIVersion('3.1.0')
    .setVersion('1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .build();
  const created = SwaggerModule.createDocument(app, config, {
    extraModels: [ProblemDto],
    operationIdFactory: (_controller, method) => method,
  });
  const document = nameOf === undefined ? created : renamed(created, nameOf);
  for (const [schema, properties] of propertiesOf(document)) {
    for (const [name, property] of Object.entries(properties)) {
      const meaning = fields[`${schema}.${name}`] ?? fields[name];
      if (meaning !== undefined) property.description ??= meaning;
    }
  }
  const paths = Object.entries(document.paths).filter(([path]) => path.startsWith('/v1/'));
  const schemas = documentedSchemas(document.components?.schemas ?? {}, docs);
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: { ...document.components, schemas },
  };
};
