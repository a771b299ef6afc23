import { NotFoundException } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from '#platform';
import type { SandboxConfig } from '../settings/sandbox-config.js';
import { ApiError } from './api-error.js';
import { ErrorFilter } from './error.filter.js';
import type { KeyRing } from './keys.js';
import { guardPartnerApi } from './partner/partner-door.js';
import { RouteTable } from './route-table.js';

/**
 * Whether a request is for the API. Checks both the matched route and the raw path, because
 * `/%762/webhooks` and absolute URLs match routes of the API, too.
 */
const isApi = ({ routeOptions, url }: FastifyRequest): boolean =>
  (routeOptions.url ?? url).startsWith('/v2/') || url.startsWith('/v2/');

const EVIDENCE = '/v2/disputes/:id/evidence';
/** The largest JSON body of evidence, which may contain files; other bodies have 64 KiB at most. */
const MAX_EVIDENCE_BYTES = 1_024 * 1_024;

/**
 * Whether the route accepts a form with files. Only the route for dispute evidence accepts forms;
 * all other bodies are JSON.
 */
const takesForm = ({ method, routeOptions }: FastifyRequest): boolean =>
  method === 'POST' && routeOptions.url === EVIDENCE;

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Ignores the body of a DELETE request, because some clients send one. See
 * docs/provider/payments-completion.md#settled-after-real-clients.
 */
const readNoBodyOf = ({ raw: { headers } }: FastifyRequest): void => {
  delete headers['content-type'];
  delete headers['content-length'];
  delete headers['transfer-encoding'];
};

/** Parses JSON bodies; an empty body counts as absent, for methods without a body. */
const parseJson = (fastify: FastifyInstance): void => {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeContentTypeParser('application/json');
  fastify.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    (request, text: string, done) => {
      if (text.trim() === '') done(null, undefined);
      else void parse(request, text, done);
    },
  );
};

/**
 * The rules of every API route: the key is checked before anything else, then the media type of the
 * body; errors have the API's error format.
 */
export const followConventions = (
  app: NestFastifyApplication,
  fastify: FastifyInstance,
  config: SandboxConfig,
  keys: KeyRing,
  logger: Logger,
): void => {
  const routes = new RouteTable();
  routes.follow(fastify);
  parseJson(fastify);
  fastify.addHook('onRoute', (route) => {
    if (route.url === EVIDENCE) route.bodyLimit = MAX_EVIDENCE_BYTES;
  });
  fastify.decorateRequest('scope', null);
  fastify.addHook('onRequest', async (request) => {
    if (isApi(request)) {
      request.scope = await keys.scopeOf(request.headers.authorization);
      // Validates the id first, so that a request with a malformed id is rejected before its body
      // is read.
      const { id = '' } = request.params as { readonly id?: string };
      if (request.is404 || routes.isFile(request.routeOptions.url ?? '', id)) {
        throw new NotFoundException();
      }
      if (request.method === 'DELETE') readNoBodyOf(request);
      const type = request.headers['content-type'] ?? '';
      const isForm = takesForm(request) && /^multipart\/form-data\b/i.test(type);
      if (hasBody(request) && !isForm && !/^application\/json\b/i.test(type)) {
        throw new ApiError(415, { error: 'Unsupported media type: send application/json' });
      }
    }
  });
  guardPartnerApi(fastify, config);
  app.useGlobalFilters(new ErrorFilter(logger, routes));
};
