import { assert } from '#kernel';
import { errorRef } from '../../api/openapi/errors.js';
import { queryParameters } from '../../api/openapi/operation.js';
import type { Schema } from '../../api/openapi/route.js';
import { companyAnswerSchema, companyOnlyAnswer } from '../companies/company-answer.js';
import { companyPatchBody, newCompanyBody } from '../companies/company-request.js';
import {
  ONBOARDING_ERROR_RESPONSES,
  ONBOARDING_ERROR_SCHEMAS,
  type OnboardingErrorStatus,
} from './onboarding-errors.js';
import { wordsOf } from './onboarding-words.js';
import { ONBOARDING_ROUTES, type WireRoute } from './routes.js';

const DESCRIPTION = `The merchant onboarding API, as the sandbox serves it.

**Keys**: HTTP Basic with the partner's key as the username and an empty password. A key sees the
companies of its partner and mode; all others are 404.

**Names** have hyphens; dates are \`YYYY-MM-DD\`; a country is a lower-case alpha3 code in requests
and an object in responses. When \`SANDBOX_STATUS_HISTORY_PORT\` is set, only that port serves
\`/company-status-history\`.`;

/** Shared schemas, by their component names. */
const NAMED: ReadonlyMap<Schema, string> = new Map([
  [newCompanyBody.schema, 'CompanyCreate'],
  [companyPatchBody.schema, 'CompanyPatch'],
  [companyAnswerSchema, 'CompanyOut'],
  [companyOnlyAnswer, 'CompanyOnlyOut'],
]);

/**
 * Moves a schema's definitions to the components of the document, because references are resolved
 * from the root of the document.
 */
const withDefinitions = ([schema, name]: readonly [Schema, string]): readonly [
  string,
  unknown,
][] => {
  const text = JSON.stringify(schema).replaceAll('#/$defs/', `#/components/schemas/${name}.`);
  const { $defs = {}, ...own } = JSON.parse(text) as Readonly<Record<string, object>>;
  return [
    [name, own],
    ...Object.entries($defs).map(([part, of]): [string, unknown] => [`${name}.${part}`, of]),
  ];
};

const written = (schema: Schema): unknown => {
  const name = NAMED.get(schema);
  return name === undefined ? schema : { $ref: `#/components/schemas/${name}` };
};

const UPLOAD = {
  type: 'object',
  properties: {
    file: {
      type: 'array',
      items: { type: 'string', format: 'binary' },
      description: 'The document: one file, or one for each side of an identity card.',
    },
    meta: { type: 'object', description: 'Metadata of an identity card: see the specification.' },
  },
} as const;

const isUpload = ({ path }: WireRoute): boolean => path.includes(':token');

const bodyOf = ({ body }: WireRoute): object => {
  if (body === undefined) return {};
  const content =
    body === 'multipart'
      ? { 'multipart/form-data': { schema: UPLOAD } }
      : { 'application/json': { schema: written(body.schema) } };
  return { requestBody: { required: true, content } };
};

const errorsOf = (route: WireRoute): readonly OnboardingErrorStatus[] => [
  ...(isUpload(route) ? [] : [401 as const]),
  ...(wordsOf(route)?.refusals ?? []),
  ...(route.method === 'GET' ? [] : [413 as const, 415 as const]),
  ...(route.query === undefined && route.body === undefined ? [] : [422 as const]),
  500,
];

const successOf = ({ answer }: WireRoute): object => {
  const content =
    answer === 'file'
      ? Object.fromEntries(['application/pdf', 'image/jpeg', 'image/png'].map((type) => [type, {}]))
      : { 'application/json': { schema: written(answer) } };
  return { 200: { description: 'Done.', content } };
};

/** Generates the operation id, e.g. `patchCompanyStatus`. */
const operationIdOf = ({ method, path }: WireRoute): string =>
  (method.toLowerCase() + path.replace('/:token', '-upload')).replace(
    /[/-]([a-z])/g,
    (_, letter: string) => letter.toUpperCase(),
  );

const operationOf = (route: WireRoute): object => {
  const words = wordsOf(route);
  assert(words, `${route.method} ${route.path} has its description`);
  const token = { name: 'token', in: 'path', required: true, schema: { type: 'string' } };
  const parameters = [
    ...(isUpload(route) ? [token] : []),
    ...(route.query === undefined ? [] : queryParameters(route.query)),
  ];
  return {
    operationId: operationIdOf(route),
    tags: [words.tag],
    summary: words.summary,
    ...(isUpload(route)
      ? { description: 'The token in the URL authorizes the upload.', security: [] }
      : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...bodyOf(route),
    responses: {
      ...successOf(route),
      ...Object.fromEntries(errorsOf(route).map((status) => [status, errorRef(status)])),
    },
  };
};

const paths = (): Record<string, Record<string, object>> => {
  const all: Record<string, Record<string, object>> = {};
  for (const route of ONBOARDING_ROUTES) {
    const item = (all[route.path.replace(':token', '{token}')] ??= {});
    item[route.method.toLowerCase()] = operationOf(route);
  }
  return all;
};

/** The OpenAPI document of the onboarding API, generated from its code. */
export const onboardingDocument = () => ({
  openapi: '3.1.0',
  info: {
    title: 'Merchant onboarding API',
    version: '1',
    description: DESCRIPTION,
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: '/api/partners', description: 'This sandbox' }],
  security: [{ basic: [] }],
  paths: paths(),
  components: {
    securitySchemes: {
      basic: { type: 'http', scheme: 'basic', description: 'The partner’s key is the username.' },
    },
    schemas: {
      ...Object.fromEntries([...NAMED].flatMap(withDefinitions)),
      ...ONBOARDING_ERROR_SCHEMAS,
    },
    responses: ONBOARDING_ERROR_RESPONSES,
  },
});
