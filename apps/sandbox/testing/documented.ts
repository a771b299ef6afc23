import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { assert } from '#kernel';
import { WIRE_FORMATS } from '../onboarding/wire/wire-formats.js';

/** One call and its answer, as a spec met them. */
export interface Exchange {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly sent?: unknown;
  readonly status: number;
  readonly contentType: string | null;
  /** The JSON body; undefined: there is none. */
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

/** Faults on demand answer these, which no route does. */
const FAULTS = [429, 502];

const JSON_TYPE = 'application/json';

const escaped = (text: string): string => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
const pointer = (...steps: readonly string[]): string =>
  steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** A document that answers are held against. */
export class Documented {
  // That the document is well-formed is openapi.spec's matter; to ask it here costs every spec.
  private readonly ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    code: { optimize: false },
    meta: false,
    validateSchema: false,
  });
  private readonly paths: readonly (readonly [path: string, pattern: RegExp])[];
  private readonly operations: Document['paths'];

  /** `under` begins every path, e.g. `/api/partners`. */
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
      // The longer says more: `/mandates/{id}.pdf` before `/mandates/{id}`.
      .sort((a, b) => b.length - a.length)
      .map((path) => [path, new RegExp(`^${escaped(path).replace(/\{\w+\}/g, '[^/]+')}$`)]);
  }

  /** Throws where the answer, or what was accepted, is not as the document says. */
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
    if (response === undefined) throw this.misfit(exchange, 'the status is not documented');
    this.checkBody(exchange, response, at);
    const accepts = operation.requestBody?.content?.[JSON_TYPE]?.schema;
    if (status < 300 && accepts !== undefined && exchange.sent !== undefined) {
      this.fits(exchange, exchange.sent, [...at, 'requestBody', 'content', JSON_TYPE, 'schema']);
    }
  }

  /** Throws where a value is not of the component. */
  checkComponent(name: string, value: unknown): void {
    const validate = this.validator(['components', 'schemas', name]);
    if (!validate(value)) throw new Error(`no ${name}: ${this.ajv.errorsText(validate.errors)}`);
  }

  /** No operation: the key is asked for first, and then nobody knows the address or the method. */
  private checkUnknown(exchange: Exchange): void {
    const { method, status } = exchange;
    if (method === 'HEAD' || method === 'OPTIONS') return;
    if (![401, 404, 405].includes(status)) throw this.misfit(exchange, 'nothing is documented');
    this.fits(exchange, exchange.body, this.errorAt(status));
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
      if (body !== undefined) throw this.misfit(exchange, 'no body is documented');
      return;
    }
    if (contentType?.startsWith(JSON_TYPE) !== true) {
      const types = Object.keys(response.content ?? {});
      if (types.includes(String(contentType))) return;
      throw this.misfit(exchange, `${contentType} is not documented`);
    }
    this.fits(
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

  private fits(exchange: Exchange, value: unknown, at: readonly string[]): void {
    const validate = this.validator(at);
    if (validate(value)) return;
    throw this.misfit(exchange, this.ajv.errorsText(validate.errors));
  }

  private misfit({ method, path, status, body }: Exchange, why: string): Error {
    const told = JSON.stringify(body)?.slice(0, 2_000);
    return new Error(`not as documented: ${method} ${path} → ${status}: ${why}\n${told}`);
  }
}
