import { RESOURCES } from '../../api/ids.js';
import { Components } from '../../api/openapi/components.js';
import { ERROR_RESPONSES, ERROR_SCHEMAS, errorRef } from '../../api/openapi/errors.js';
import { type Links, operationOf } from '../../api/openapi/operation.js';
import { resourceRoutes } from '../../api/openapi/resource-routes.js';
import type { Route, Schema } from '../../api/openapi/route.js';
import { MANDATES } from '../mandates/mandate-resource.js';
import { API_RESOURCES } from './api-resources.js';
import { EVENT_ANSWER } from './event-answer.js';
import { VERB_ROUTES } from './verb-routes.js';

const DESCRIPTION = `The payment collection API, as the sandbox serves it.

**Keys**: HTTP Basic with the key as the username and an empty password, or \`Bearer <key>\`. A key
opens one merchant account in one mode: \`stest_\` test, \`sprod_\` live. The objects of another
account, or of the other mode, are 404.

**Amounts** are whole minor units. \`created\` and \`created_at\` are whole seconds since 1970.

**Paths** work in the plural and the singular, with and without a trailing slash.

**Lists** are newest first; \`start\` and \`limit\` select a page, and \`range\` describes it.

**Methods** that a path does not support are a 405 with the header \`Allow\`. Faults on demand
(\`POST /sandbox/faults\`) may also answer 429 and 502.`;

/** All routes of the payment API. */
export const PAYMENT_ROUTES: readonly Route[] = [
  ...API_RESOURCES.flatMap(resourceRoutes),
  ...VERB_ROUTES,
];

const namedSchemas = (): Readonly<Record<string, Schema>> => ({
  ...Object.fromEntries(
    API_RESOURCES.flatMap(({ title, create, patch, answer, page }) => [
      ...(create === undefined ? [] : [[`${title}Create`, create.schema] as const]),
      ...(patch === undefined ? [] : [[`${title}Patch`, patch.schema] as const]),
      [`${title}Out`, answer] as const,
      [`${title}OutList`, page] as const,
    ]),
  ),
  ...ERROR_SCHEMAS,
});

/** OpenAPI links from a created object to the operations on it. */
const linksFrom = (route: Route): Links => {
  if (!route.operationId.startsWith('create')) return {};
  const followers = PAYMENT_ROUTES.filter(({ path }) => path.startsWith(`${route.path}/{id}`));
  return Object.fromEntries(
    followers.map(({ operationId }) => [
      operationId,
      { operationId, parameters: { id: '$response.body#/id' } },
    ]),
  );
};

/** The path of a mandate's `upload_url`; the token in the path authorizes the upload. */
const uploadPath = (components: Components): object => ({
  post: {
    operationId: 'uploadMandateDocument',
    tags: [RESOURCES.mndt.name],
    summary: 'Sign an imported mandate by uploading its document',
    description: 'The URL is the `upload_url` of the mandate.',
    security: [],
    parameters: [{ name: 'token', in: 'path', required: true, schema: { type: 'string' } }],
    requestBody: {
      required: true,
      content: { 'application/pdf': {}, 'application/octet-stream': {} },
    },
    responses: {
      200: {
        description: 'Done.',
        content: { 'application/json': { schema: components.write(MANDATES.answer) } },
      },
      ...Object.fromEntries([404, 409, 413, 415, 500].map((one) => [one, errorRef(one)])),
    },
  },
});

const SIGNATURE =
  '`t=<epoch seconds>,v1=<hex>`: HMAC-SHA-256 of `<t>.<raw body>` with the endpoint’s `secret`, ' +
  'which is decoded from hexadecimal.';

/** The webhooks sent to endpoints. */
const webhook = (components: Components): object => ({
  post: {
    operationId: 'receiveEvent',
    summary: 'An event sent to an endpoint',
    security: [],
    parameters: [
      {
        name: 'Service-Signature',
        in: 'header',
        required: true,
        description: SIGNATURE,
        schema: { type: 'string' },
      },
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: components.write(EVENT_ANSWER) } },
    },
    responses: {
      200: { description: 'Received.' },
      204: { description: 'Received.' },
    },
  },
});

const paths = (components: Components): Record<string, Record<string, object>> => {
  const all: Record<string, Record<string, object>> = {};
  for (const route of PAYMENT_ROUTES) {
    const item = (all[route.path] ??= {});
    item[route.method] = operationOf(route, components, linksFrom(route));
  }
  return all;
};

const tags = (): readonly object[] => [
  ...API_RESOURCES.map(({ prefix, about }) => ({
    name: RESOURCES[prefix].name,
    description: about,
  })),
  { name: 'Service', description: 'The service itself.' },
];

/** The OpenAPI document of the payment API, from the schemas that validate the bodies. */
export const paymentDocument = () => {
  const components = new Components(namedSchemas());
  return {
    openapi: '3.1.0',
    info: {
      title: 'Payment collection API',
      version: 'v2',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This sandbox' }],
    security: [{ basic: [] }, { bearer: [] }],
    tags: tags(),
    paths: { ...paths(components), '/mandate-documents/{token}': uploadPath(components) },
    webhooks: { event: webhook(components) },
    components: {
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: 'Send the API key as the username.' },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'Send the API key as the bearer token.',
        },
      },
      schemas: components.schemas(),
      responses: ERROR_RESPONSES,
    },
  };
};
