import { type Named, type Reader, type Schema, SchemaComparison } from './schema.js';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly style?: string;
  readonly explode?: boolean;
  readonly schema?: Schema;
}

interface Media {
  readonly schema?: Schema;
  /** The examples of a problem response, one for each error code that the response may have. */
  readonly examples?: Readonly<Record<string, unknown>>;
}

type Content = Readonly<Record<string, Media>>;

const PROBLEM = 'application/problem+json';

interface Body {
  readonly required?: boolean;
  readonly content: Content;
}

interface Response {
  readonly content?: Content;
  readonly headers?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Operation {
  /** The name of the operation's function in generated clients. */
  readonly operationId?: string;
  readonly 'x-scope'?: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses?: Readonly<Record<string, Response>>;
}

/** The parts of an OpenAPI document that clients depend on. */
export interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Named };
}

const schemesOf = ({ security = [] }: Operation): string =>
  security.map((one) => Object.keys(one).join(' and ')).join(' or ') || 'nothing';

/** How a parameter's values are serialised. The defaults are those of OpenAPI. */
const formOf = ({ in: place, style: given, explode }: Parameter) => {
  const style = given ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple');
  return { style, explode: explode ?? style === 'form' };
};

const ofForm = (at: string, was: Parameter, is: Parameter): readonly string[] => {
  const [form, newForm] = [formOf(was), formOf(is)];
  return (['style', 'explode'] as const)
    .filter((one) => form[one] !== newForm[one])
    .map((one) => `${at}: ${one} is now ${newForm[one]} instead of ${form[one]}`);
};

const ofName = (at: string, was: string | undefined, is: string | undefined): readonly string[] =>
  was === undefined || was === is
    ? []
    : [`${at}: operationId is now ${is ?? 'none'} instead of ${was}`];

const successesOf = ({ responses = {} }: Operation): readonly string[] =>
  Object.keys(responses).filter((status) => status.startsWith('2'));

/**
 * The successful statuses that only the new document contains. Clients of the former document do
 * not expect them.
 */
const furtherSuccesses = (was: Operation, is: Operation): readonly string[] => {
  const expected = successesOf(was);
  if (expected.length === 0) return [];
  return successesOf(is).filter((status) => !expected.includes(status));
};

class ContractComparison {
  private readonly schemas: SchemaComparison;

  constructor(
    private readonly before: Contract,
    private readonly after: Contract,
  ) {
    const [was, is] = [before.components?.schemas ?? {}, after.components?.schemas ?? {}];
    this.schemas = new SchemaComparison(was, is);
  }

  changes(): readonly string[] {
    return Object.entries(this.before.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, was]) => {
        const name = `${method.toUpperCase()} ${path}`;
        const is = this.after.paths[path]?.[method];
        return is ? this.ofOperation(name, was, is) : [`${name}: was removed`];
      }),
    );
  }

  private ofOperation(name: string, was: Operation, is: Operation): readonly string[] {
    const [scope, newScope] = [was['x-scope'], is['x-scope']];
    const [scheme, newScheme] = [schemesOf(was), schemesOf(is)];
    return [
      ...(scope === newScope ? [] : [`${name}: needs the scope ${newScope} instead of ${scope}`]),
      ...(scheme === newScheme ? [] : [`${name}: needs ${newScheme} instead of ${scheme}`]),
      ...ofName(name, was.operationId, is.operationId),
      ...this.ofParameters(name, was.parameters ?? [], is.parameters ?? []),
      ...this.ofBody(`${name} request`, was.requestBody, is.requestBody),
      ...furtherSuccesses(was, is).map((status) => `${name} ${status}: is now returned, too`),
      ...Object.entries(was.responses ?? {}).flatMap(([status, response]) => {
        const now = is.responses?.[status];
        const at = `${name} ${status}`;
        return now ? this.ofResponse(at, response, now) : [`${at}: is no longer returned`];
      }),
    ];
  }

  private ofParameters(
    name: string,
    was: readonly Parameter[],
    is: readonly Parameter[],
  ): readonly string[] {
    const find = (all: readonly Parameter[], wanted: Parameter) =>
      all.find((one) => one.name === wanted.name && one.in === wanted.in);
    const changed = was.flatMap((parameter) => {
      const now = find(is, parameter);
      const at = `${name} ?${parameter.name}`;
      if (!now) return [`${at}: was removed`];
      return [
        ...ofForm(at, parameter, now),
        ...this.schemas.changes(at, parameter.schema ?? {}, now.schema ?? {}, 'service'),
      ];
    });
    const required = is.filter((one) => one.required && !find(was, one)?.required);
    return [...changed, ...required.map((one) => `${name} ?${one.name}: is now required`)];
  }

  private ofBody(at: string, was: Body | undefined, is: Body | undefined): readonly string[] {
    return [
      ...(is?.required && !was?.required ? [`${at}: is now required`] : []),
      ...this.ofContent(at, was?.content, is?.content, 'service'),
    ];
  }

  private ofResponse(at: string, was: Response, is: Response): readonly string[] {
    const headers = Object.entries(was.headers ?? {}).flatMap(([name, header]) => {
      const now = is.headers?.[name];
      const of = `${at} header ${name}`;
      if (!now) return [`${of}: was removed`];
      return this.schemas.changes(of, header.schema ?? {}, now.schema ?? {}, 'client');
    });
    const codes = is.content?.[PROBLEM]?.examples ?? {};
    const removed = Object.keys(was.content?.[PROBLEM]?.examples ?? {}).filter(
      (code) => !(code in codes),
    );
    return [
      ...headers,
      ...removed.map((code) => `${at}: ${code} was removed`),
      ...this.ofContent(at, was.content, is.content, 'client'),
    ];
  }

  private ofContent(
    at: string,
    was: Content = {},
    is: Content = {},
    reader: Reader,
  ): readonly string[] {
    return Object.entries(was).flatMap(([media, { schema }]) => {
      const now = is[media];
      if (!now) return [`${at}: ${media} was removed`];
      return this.schemas.changes(at, schema ?? {}, now.schema ?? {}, reader);
    });
  }
}

/**
 * The breaking changes between two OpenAPI documents, one line for each.
 *
 * The available libraries do not replace this: they miss new required bodies and fields that become
 * null, report each new value of a response, or do not read OpenAPI 3.1 and AsyncAPI 3.
 */
export const breakingChanges = (before: Contract, after: Contract): readonly string[] =>
  new ContractComparison(before, after).changes();

/**
 * The named schemas that the new document no longer contains, one line for each. Generated clients
 * have a type with the name of each schema, so its removal breaks them.
 */
export const removedSchemas = (before: Contract, after: Contract): readonly string[] => {
  const names = after.components?.schemas ?? {};
  return Object.keys(before.components?.schemas ?? {})
    .filter((name) => !(name in names))
    .map((name) => `schema ${name}: was removed`);
};
