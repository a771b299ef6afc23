/**
 * The changes of an OpenAPI document or of a JSON schema that break clients of the former version.
 * New routes, optional parameters and fields, and new values of a response's enumeration break no
 * client: clients ignore what they do not know.
 */

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly nullable?: boolean;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Operation {
  readonly 'x-scope'?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses?: Readonly<Record<string, { readonly content?: Content }>>;
}

/** The parts of an OpenAPI document that clients depend on. */
export interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** Who reads values of a schema: the service (requests) or the client (responses and events). */
type Reader = 'service' | 'client';

const MAX_DEPTH = 30;

const typesOf = ({ type, nullable }: Schema): readonly string[] => {
  const types = type === undefined ? [] : typeof type === 'string' ? [type] : type;
  return nullable === true ? [...types, 'null'] : types;
};

const valuesOf = (schema: Schema): readonly unknown[] | undefined =>
  schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);

/** Compares the schemas of two documents. */
class Comparison {
  readonly found: string[] = [];

  constructor(
    private readonly before: Contract,
    private readonly after: Contract,
  ) {}

  operations(): void {
    for (const [path, methods] of Object.entries(this.before.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const name = `${method.toUpperCase()} ${path}`;
        const now = this.after.paths[path]?.[method];
        if (now === undefined) this.found.push(`${name}: was removed`);
        else this.operation(name, operation, now);
      }
    }
  }

  schema(at: string, before: Schema, after: Schema, reader: Reader, depth = 0): void {
    if (depth > MAX_DEPTH) return;
    const [was, is] = [resolved(this.before, before), resolved(this.after, after)];
    this.types(at, was, is, reader);
    this.values(at, valuesOf(was), valuesOf(is), reader);
    for (const [name, property] of Object.entries(was.properties ?? {})) {
      const now = is.properties?.[name];
      if (now === undefined) this.found.push(`${at}.${name}: was removed`);
      else this.schema(`${at}.${name}`, property, now, reader, depth + 1);
    }
    this.required(at, was.required ?? [], is.required ?? [], reader);
    if (was.items !== undefined && is.items !== undefined) {
      this.schema(`${at}[]`, was.items, is.items, reader, depth + 1);
    }
  }

  private operation(name: string, was: Operation, is: Operation): void {
    if (was['x-scope'] !== is['x-scope']) {
      this.found.push(`${name}: needs the scope ${is['x-scope']} instead of ${was['x-scope']}`);
    }
    this.parameters(name, was.parameters ?? [], is.parameters ?? []);
    this.contents(`${name} request`, was.requestBody?.content, is.requestBody?.content, 'service');
    for (const [status, response] of Object.entries(was.responses ?? {})) {
      if (!status.startsWith('2')) continue;
      const now = is.responses?.[status];
      const at = `${name} ${status}`;
      if (now === undefined) this.found.push(`${at}: is no longer returned`);
      else this.contents(at, response.content, now.content, 'client');
    }
  }

  private parameters(name: string, was: readonly Parameter[], is: readonly Parameter[]): void {
    const find = (all: readonly Parameter[], wanted: Parameter) =>
      all.find((one) => one.name === wanted.name && one.in === wanted.in);
    for (const parameter of was) {
      const now = find(is, parameter);
      const at = `${name} ?${parameter.name}`;
      if (now === undefined) this.found.push(`${at}: was removed`);
      else this.schema(at, parameter.schema ?? {}, now.schema ?? {}, 'service');
    }
    for (const parameter of is) {
      if (parameter.required === true && find(was, parameter)?.required !== true) {
        this.found.push(`${name} ?${parameter.name}: is now required`);
      }
    }
  }

  private contents(at: string, was: Content = {}, is: Content = {}, reader: Reader): void {
    for (const [media, { schema }] of Object.entries(was)) {
      const now = is[media];
      if (now === undefined) this.found.push(`${at}: ${media} was removed`);
      else this.schema(at, schema ?? {}, now.schema ?? {}, reader);
    }
  }

  /** A client must not read values of a new type; the service must accept those of former types. */
  private types(at: string, was: Schema, is: Schema, reader: Reader): void {
    const [before, after] = [typesOf(was), typesOf(is)];
    if (before.length === 0 || after.length === 0) return;
    const [written, read] = reader === 'client' ? [after, before] : [before, after];
    for (const type of written) {
      const isInteger = type === 'integer' && read.includes('number');
      if (read.includes(type) || isInteger) continue;
      this.found.push(
        reader === 'client' ? `${at}: may now be ${type}` : `${at}: may no longer be ${type}`,
      );
    }
  }

  private values(
    at: string,
    was: readonly unknown[] | undefined,
    is: readonly unknown[] | undefined,
    reader: Reader,
  ): void {
    if (reader === 'client' || is === undefined) return;
    if (was === undefined) this.found.push(`${at}: accepts only certain values now`);
    for (const value of was ?? []) {
      if (!is.includes(value)) this.found.push(`${at}: no longer accepts ${String(value)}`);
    }
  }

  private required(
    at: string,
    was: readonly string[],
    is: readonly string[],
    reader: Reader,
  ): void {
    const [all, known, what] =
      reader === 'client' ? [was, is, 'may be missing now'] : [is, was, 'is now required'];
    for (const name of all) {
      if (!known.includes(name)) this.found.push(`${at}.${name}: ${what}`);
    }
  }
}

/** The schema with its references and its `allOf` replaced by what they contain. */
const resolved = (document: Contract, schema: Schema): Schema => {
  const { $ref, allOf, ...rest } = schema;
  if ($ref !== undefined) {
    const named = document.components?.schemas?.[$ref.split('/').at(-1) ?? ''];
    return named === undefined ? rest : resolved(document, named);
  }
  const [only] = allOf ?? [];
  return only === undefined ? rest : { ...resolved(document, only), ...rest };
};

/** The breaking changes between two OpenAPI documents, one line for each. */
export const breakingChanges = (before: Contract, after: Contract): readonly string[] => {
  const comparison = new Comparison(before, after);
  comparison.operations();
  return comparison.found;
};

/** The breaking changes between two JSON schemas of values that clients read. */
export const breakingSchemaChanges = (
  name: string,
  before: object,
  after: object,
): readonly string[] => {
  const nothing: Contract = { paths: {} };
  const comparison = new Comparison(nothing, nothing);
  comparison.schema(name, before, after, 'client');
  return comparison.found;
};

/**
 * Whether a version may break clients of the last release: by semantic versioning a new major
 * version, before 1.0 a new minor version.
 */
export const mayBreak = (released: string, version: string): boolean => {
  const [major = 0, minor = 0] = released.split('.').map(Number);
  const [newMajor = 0, newMinor = 0] = version.split('.').map(Number);
  return newMajor > major || (major === 0 && newMajor === 0 && newMinor > minor);
};
