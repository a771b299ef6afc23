import { type IdPrefix, idPattern, RESOURCES } from '../ids.js';
import type { Components } from './components.js';
import { errorRef, type ErrorStatus } from './errors.js';
import type { HasSchema, Route } from './route.js';

const hasId = ({ path }: Route): boolean => path.includes('{id}');

/** The query parameters in OpenAPI form. */
export const queryParameters = ({ schema }: HasSchema): readonly object[] => {
  const { properties, required = [] } = schema as {
    readonly properties: Readonly<Record<string, { readonly description?: string }>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...of }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: of,
  }));
};

const pathParameter = (prefix: IdPrefix): object => ({
  name: 'id',
  in: 'path',
  required: true,
  schema: { type: 'string', pattern: idPattern(prefix) },
});

/** The statuses of a route's error responses, except 409, which each route describes itself. */
const errorsOf = (route: Route): readonly ErrorStatus[] => {
  const { method, query, conflict } = route;
  const writes = method !== 'get';
  return [
    401,
    ...(hasId(route) ? [404 as const] : []),
    ...(conflict === undefined ? [] : [409 as const]),
    ...(writes ? [413 as const, 415 as const] : []),
    ...(writes || hasId(route) || query !== undefined ? [422 as const] : []),
    500,
  ];
};

const errorResponses = (route: Route): object =>
  Object.fromEntries(
    errorsOf(route).map((status) => {
      const ref = errorRef(status);
      return [status, status === 409 ? { ...ref, description: route.conflict } : ref];
    }),
  );

const successOf = ({ answer }: Route, components: Components): object => {
  if (answer === null) return { 204: { description: 'Done.' } };
  const content =
    answer === 'application/pdf'
      ? { 'application/pdf': {} }
      : { 'application/json': { schema: components.write(answer) } };
  return { 200: { description: 'Done.', content } };
};

/**
 * Describes the other paths of a route, e.g. `/v2/payment/{id}/refund` for
 * `/v2/payments/{id}/refund`, and that a trailing slash is accepted.
 */
const aliasesOf = ({ path, prefix }: Route): string => {
  const slash = path.endsWith('.pdf') ? '' : ' A trailing slash is accepted.';
  if (prefix === undefined) return slash.trim();
  const [plural, ...others] = RESOURCES[prefix].paths;
  const also = others.map((name) => `\`${path.replace(`/v2/${plural}`, `/v2/${name}`)}\``);
  return `Also at ${also.join(', ')}.${slash}`;
};

/** OpenAPI links to the operations that accept the id in this operation's response. */
export type Links = Readonly<Record<string, object>>;

/** The OpenAPI operation of a route. */
export const operationOf = (route: Route, components: Components, links: Links): object => {
  const { operationId, tag, summary, prefix, query, body } = route;
  const parameters = [
    ...(prefix !== undefined && hasId(route) ? [pathParameter(prefix)] : []),
    ...(query === undefined ? [] : queryParameters(query)),
  ];
  const success = Object.entries(successOf(route, components)).map(([status, response]) => [
    status,
    Object.keys(links).length === 0 ? response : { ...response, links },
  ]);
  return {
    operationId,
    tags: [tag],
    summary,
    description: aliasesOf(route),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: body.optional !== true,
            content: { 'application/json': { schema: components.write(body.schema) } },
          },
        }),
    responses: { ...Object.fromEntries(success), ...errorResponses(route) },
  };
};
