import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { assert } from '#kernel';
import { WIRE_FORMATS } from '../onboarding/wire/wire-formats.js';

/** One call and its response in a spec. */
export interface Exchange {
  readonly method: string;
  /** The path, including the query. */
  readonly path: string;
  readonly sent?: unknown;
  readonly status: number;
  readonly contentType: string | null;
  /** The JSON body; undefined when there is none. */
  readonly body: unknown;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
}

interface Operation {
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content & { readonly $ref?: string }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** The statuses with which injected faults respond; no route documents these statuses. */
const FAULTS = [429, 502];

const JSON_TYPE = 'application/json';

const escaped = (text: string): string => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
const pointer = (...steps: readonly string[]): string =>
  steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** An OpenAPI document, against which requests and responses of specs are validated. */
export class Documented {
  // The document itself is not validated here, because this would slow every spec; openapi.spec
  // validates it.
  private readonly ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    code: { optimize: false },
    meta: false,
    validateSchema: false,
  });
  private readonly paths: readonly (readonly [path: string, pattern: RegExp])[];
  private readonly operations: Document['paths'];

  /** `under`: the prefix of all paths of the document, e.g. `/api/partners`. */
  constructor(
    document: object,
    private readonly under = '',
  ) {
    addFormats.default(this.ajv);
    for (const [name, { holds }] of Object.entries(WIRE_FORMATS)) this.ajv.addFormat(name, holds);
    this.ajv.addFormat('binary', true);
    this.ajv.addSchema(document, 'document');
    this.operations = (document as Document).paths;
    this.paths = Object.keys(this.operations)
      // Sorts longer paths first: `/mandates/{id}.pdf` before `/mandates/{id}`.
      .sort((a, b) => b.length - a.length)
      .map((path) => [path, new RegExp(`^${escaped(path).replace(/\{\w+\}/g, '[^/]+')}$`)]);
  }

  /** Throws when the response, or an accepted request, does not match the document. */
  check(exchange: Exchange): void {
    const { method, path, status } = exchange;
    const [address = ''] = path.split('?', 1);
    if (!address.startsWith(this.under)) return;
    const found = this.paths.find(([, pattern]) => pattern.test(address.slice(this.under.length)));
    const verb = method.toLowerCase();
    const operation = found && this.operations[found[0]]?.[verb];
    if (FAULTS.includes(status)) return;
    if (found === undefined || operation === undefined) {
      this.checkUnknown(exchange);
      return;
    }
    const at = ['paths', found[0], verb];
    const response = operation.responses[String(status)];
    if (response === undefined) throw this.mismatch(exchange, 'the status is undocumented');
    this.checkBody(exchange, response, at);
    const accepts = operation.requestBody?.content?.[JSON_TYPE]?.schema;
    if (status < 300 && accepts !== undefined && exchange.sent !== undefined) {
      this.validate(exchange, exchange.sent, [
        ...at,
        'requestBody',
        'content',
        JSON_TYPE,
        'schema',
      ]);
    }
  }

  /** Throws when a value does not match the named schema of the document. */
  checkComponent(name: string, value: unknown): void {
    const validate = this.validator(['components', 'schemas', name]);
    if (!validate(value))
      throw new Error(`not a valid ${name}: ${this.ajv.errorsText(validate.errors)}`);
  }

  /**
   * Checks the response to a path or method that the document lacks: 401 without a key, otherwise
   * 404 or 405.
   */
  private checkUnknown(exchange: Exchange): void {
    const { method, status } = exchange;
    if (method === 'HEAD' || method === 'OPTIONS') return;
    if (![401, 404, 405].includes(status))
      throw this.mismatch(exchange, 'the route is undocumented');
    this.validate(exchange, exchange.body, this.errorAt(status));
  }

  private errorAt(status: number): readonly string[] {
    return ['components', 'responses', `Error${status}`, 'content', JSON_TYPE, 'schema'];
  }

  private checkBody(
    exchange: Exchange,
    response: Operation['responses'][string],
    at: readonly string[],
  ): void {
    const { status, body, contentType } = exchange;
    if (response.$ref === undefined && response.content === undefined) {
      if (body !== undefined) throw this.mismatch(exchange, 'the body is undocumented');
      return;
    }
    if (contentType?.startsWith(JSON_TYPE) !== true) {
      const types = Object.keys(response.content ?? {});
      if (types.includes(String(contentType))) return;
      throw this.mismatch(exchange, `${contentType} is undocumented`);
    }
    this.validate(
      exchange,
      body,
      response.$ref === undefined
        ? [...at, 'responses', String(status), 'content', JSON_TYPE, 'schema']
        : this.errorAt(status),
    );
  }

  private validator(at: readonly string[]): ValidateFunction {
    const found = this.ajv.getSchema(`document#${pointer(...at)}`);
    assert(found, `the document has ${at.join(' ')}`);
    return found;
  }

  private validate(exchange: Exchange, value: unknown, at: readonly string[]): void {
    const validate = this.validator(at);
    if (validate(value)) return;
    throw this.mismatch(exchange, this.ajv.errorsText(validate.errors));
  }

  private mismatch({ method, path, status, body }: Exchange, why: string): Error {
    const text = JSON.stringify(body)?.slice(0, 2_000);
    return new Error(
      `mismatch with the API document: ${method} ${path} → ${status}: ${why}\n${text}`,
    );
  }
}
