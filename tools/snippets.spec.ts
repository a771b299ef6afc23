import { Ajv } from 'ajv';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { curlRequests, namedRoutes, pages, type Request } from './snippets.fixture.js';

const ROOT = join(import.meta.dirname, '..');

interface Operation {
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: object }>>;
  };
}

interface OpenApi {
  readonly servers?: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const documents = ['api', 'admin', 'sandbox', 'sandbox-onboarding'].map((name) => {
  const file = join(ROOT, 'docs', 'generated', `openapi.${name}.json`);
  return { name, document: JSON.parse(readFileSync(file, 'utf8')) as OpenApi };
});

const ajv = new Ajv({ strict: false, validateFormats: false });
for (const { name, document } of documents) ajv.addSchema(document, name);

/**
 * Whether a path in a page matches a route. A parameter in the route, or a placeholder (…) in the
 * page, matches any path segment.
 */
const isAlike = (template: string, path: string): boolean => {
  const [ours, theirs] = [template.split('/'), path.split('/')];
  return (
    ours.length === theirs.length &&
    ours.every(
      (part, at) =>
        part.startsWith('{') || part === theirs[at] || (theirs[at] ?? '').startsWith('{'),
    )
  );
};

/**
 * The operation in an OpenAPI document that a request matches: the document's name and a JSON
 * pointer; null when there is none.
 */
const operationOf = ({ method, path }: Request): { name: string; at: string } | null => {
  for (const { name, document } of documents) {
    const base = document.servers?.[0]?.url ?? '';
    const prefix = base.startsWith('/') ? base.replace(/\/$/, '') : '';
    const template = Object.keys(document.paths).find((one) => isAlike(`${prefix}${one}`, path));
    const operation = template && document.paths[template]?.[method.toLowerCase()];
    if (template !== undefined && operation !== undefined) {
      const escaped = encodeURIComponent(template.replaceAll('~', '~0').replaceAll('/', '~1'));
      return { name, at: `#/paths/${escaped}/${method.toLowerCase()}` };
    }
  }
  return null;
};

/**
 * Matches the sandbox's control routes and pages, which no OpenAPI document contains. `test/guides`
 * tests these requests.
 */
const UNDOCUMENTED = /^\/(?:sandbox|pay|bank)\//;

const bodyComplaint = (request: Request): string | null => {
  if (UNDOCUMENTED.test(request.path)) return null;
  const operation = operationOf(request);
  if (operation === null) return `no route ${request.method} ${request.path}`;
  if (request.body === null) return null;
  const type = 'application~1json';
  const $ref = `${operation.name}${operation.at}/requestBody/content/${type}/schema`;
  const validate = ajv.compile({ $ref });
  return validate(JSON.parse(request.body)) ? null : ajv.errorsText(validate.errors);
};

const all = pages();
const inAll = (language: string) =>
  all.flatMap(({ path, blocks }) =>
    blocks.filter((one) => one.language === language).map(({ code }) => ({ path, code })),
  );

test('JSON in the documentation parses', () => {
  for (const { code } of inAll('json')) expect(() => JSON.parse(code)).not.toThrow();
});

test('curl requests in the documentation are valid against the OpenAPI documents', () => {
  const complaints = inAll('sh').flatMap(({ path, code }) =>
    curlRequests(code).flatMap((request) => {
      const complaint = bodyComplaint(request);
      return complaint === null ? [] : [`${path}: ${complaint}`];
    }),
  );
  expect(complaints).toEqual([]);
});

test('routes that the documentation names exist', () => {
  const missing = all.flatMap(({ path, text }) =>
    namedRoutes(text)
      .filter((route) => operationOf(route) === null)
      .map((route) => `${path}: ${route.method} ${route.path}`),
  );
  expect(missing).toEqual([]);
});

/** Declares the names that the documentation's snippets use but do not define. */
const GIVEN = `
declare const kafka: import('kafkajs').Kafka;
declare const pool: import('pg').Pool;
declare const [apiKey, reason, cursor, secret, body]: [string, string, string, string, string];
declare const request: import('node:http').IncomingMessage;
declare const save: (...of: readonly unknown[]) => Promise<void>;
declare const brokers: string[];
declare const logger: import('payment-orchestrator-subscriber').Logger;
declare const pino: () => import('payment-orchestrator-subscriber').Logger;
declare const ship: (orderId: string, tx: import('pg').PoolClient) => Promise<void>;
`;

test('TypeScript in the documentation compiles', () => {
  const sources = new Map(
    all
      .map(({ path, blocks }) => {
        const code = blocks.filter((one) => one.language === 'ts').map((one) => one.code);
        return [join(ROOT, `${path}.ts`), code.join('\n')] as const;
      })
      .filter(([, code]) => code !== '')
      .map(([file, code]) => [file, `${code}\n${GIVEN}`] as const),
  );
  expect(sources.size).toBeGreaterThan(0);
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile) as {
    readonly config: object;
  };
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [] }, ts.sys, ROOT);
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (file) => sources.has(file) || fileExists(file);
  host.getSourceFile = (file, ...rest) => {
    const text = sources.get(file);
    return text === undefined
      ? getSourceFile(file, ...rest)
      : ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  };
  const program = ts.createProgram([...sources.keys()], { ...options, noEmit: true }, host);
  const found = [...sources.keys()].flatMap((file) => {
    const source = program.getSourceFile(file);
    return [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ].map(({ messageText }) => `${file}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
  });
  expect(found).toEqual([]);
});
