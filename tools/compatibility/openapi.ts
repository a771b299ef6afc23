import { type Named, type Reader, type Schema, SchemaComparison } from './schema.js';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

interface Media {
  readonly schema?: Schema;
  /** Of a problem, one for each code that the response may have, by the code. */
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
      ...this.ofParameters(name, was.parameters ?? [], is.parameters ?? []),
      ...this.ofBody(`${name} request`, was.requestBody, is.requestBody),
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
      return this.schemas.changes(at, parameter.schema ?? {}, now.schema ?? {}, 'service');
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
