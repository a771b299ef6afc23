import { assert } from '#kernel';

/** The parts of a JSON schema from which an example is made. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

type Schemas = Readonly<Record<string, Schema>>;

/** The texts and examples from which the schemas of a document are documented. */
export interface SchemaDocs {
  /** The descriptions of schemas that have none, by name. */
  readonly descriptions: Readonly<Record<string, string>>;
  /**
   * Examples: of a schema, by its name (`Order`); of a field, by its schema and name (`Order.id`),
   * or by its name (`id`) if it means the same in all schemas. `undefined`: the example of the
   * schema has no such field.
   */
  readonly examples: Readonly<Record<string, unknown>>;
}

const BY_FORMAT: Readonly<Record<string, unknown>> = {
  date: '2026-03-01',
  'date-time': '2026-03-01T12:00:00.000Z',
  uri: 'https://shop.example/orders/cart-2041',
  uuid: '3f2b8c1e-9d47-4b5a-8e6f-0a1b2c3d4e5f',
};

/** Makes examples of the schemas of a document. */
class Examples {
  constructor(
    private readonly schemas: Schemas,
    private readonly given: SchemaDocs['examples'],
  ) {}

  /** The example of a named schema. Throws if an example of a field is missing. */
  of(name: string): unknown {
    const { [name]: given } = this.given;
    return given === undefined ? this.made(this.schemas[name] ?? {}, name) : given;
  }

  private made(schema: Schema, at: string): unknown {
    if (schema.$ref !== undefined) return this.of(schema.$ref.split('/').at(-1) ?? '');
    const { default: usual, const: only } = schema;
    const given = schema.examples?.[0] ?? schema.example ?? only ?? usual ?? schema.enum?.[0];
    if (given !== undefined) return given;
    const [part] = schema.oneOf ?? schema.anyOf ?? schema.allOf ?? [];
    return part === undefined ? this.ofType(schema, at) : this.made(part, at);
  }

  private ofType({ type, format, items, properties }: Schema, at: string): unknown {
    const kind = [type].flat().find((one) => one !== 'null');
    if (kind === 'array') return [this.made(items ?? {}, at)];
    if (kind === 'boolean') return true;
    if (kind === 'object') return this.ofObject(properties ?? {}, at);
    const example = BY_FORMAT[format ?? ''];
    assert(example !== undefined, `${at} has an example`);
    return example;
  }

  private ofObject(properties: Schemas, at: string): unknown {
    const names = Object.keys(properties).filter((name) => !this.isOmitted(`${at}.${name}`));
    return Object.fromEntries(names.map((name) => [name, this.field(at, name, properties[name])]));
  }

  private isOmitted(at: string): boolean {
    return at in this.given && this.given[at] === undefined;
  }

  private field(schema: string, name: string, field: Schema = {}): unknown {
    const at = `${schema}.${name}`;
    const { [at]: here, [name]: anywhere } = this.given;
    // The common example for the field's name is not used if it is none of this field's enum
    // values, or if this field is an array and the example is not.
    const isOther =
      field.enum?.includes(anywhere) === false ||
      (field.type === 'array' && !Array.isArray(anywhere));
    const named = isOther ? undefined : anywhere;
    // Only `undefined` counts as a missing example, because an example may be null.
    const choices = [here, field.example, named, field.enum?.[0]];
    const [example] = choices.filter((one) => one !== undefined);
    return example === undefined ? this.made(field, at) : example;
  }
}

/**
 * An example of a schema without references, by the same rules as those of the OpenAPI documents.
 * Throws if an example of a field is missing.
 */
export const exampleOf = (
  name: string,
  schema: object,
  examples: SchemaDocs['examples'],
): unknown => new Examples({ [name]: schema }, examples).of(name);

/** `Order page` for `OrderPage`. */
const titleOf = (name: string): string => {
  const words = name.replaceAll(/[.-]/g, ' ').replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ');
  return words.charAt(0) + words.slice(1).toLowerCase();
};

/** The named schemas of a document, each with a title, a description and an example. */
export const documentedSchemas = <S extends object>(
  schemas: Readonly<Record<string, S>>,
  { descriptions, examples }: SchemaDocs,
): Record<string, S> => {
  const all = new Examples(schemas, examples);
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      {
        title: titleOf(name),
        ...(descriptions[name] !== undefined && { description: descriptions[name] }),
        ...schema,
        examples: [all.of(name)],
      },
    ]),
  );
};
