import { NotFoundException } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SandboxConfig } from '../../settings/sandbox-config.js';
import { partnerNotFound, wrongMediaType } from './partner-error.js';
import { PartnerKeys } from './partner-keys.js';
import { HISTORY_PATH, isPartnerApi, isUpload } from './partner-paths.js';
import './partner-scope.js';

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const checkType = (request: FastifyRequest): void => {
  if (!hasBody(request)) return;
  const type = request.headers['content-type'] ?? '';
  const wanted = isUpload(request) ? 'multipart/form-data' : 'application/json';
  if (!type.toLowerCase().startsWith(wanted)) throw wrongMediaType(`send the body as ${wanted}`);
};

/**
 * When the status history has its own port, that port serves only the status history, and the main
 * port serves everything else: a client with the wrong base URL fails on its first request.
 */
const checkAddress = (request: FastifyRequest, managePort: number | null): void => {
  if (managePort === null) return;
  const isHistory = request.routeOptions.url === HISTORY_PATH;
  if (isHistory !== (request.socket.localPort === managePort)) {
    throw partnerNotFound('endpoint', 'at this base address');
  }
};

/**
 * Installs the checks of every route of the onboarding API: first the key, then the port, then the
 * media type.
 */
export const guardPartnerApi = (fastify: FastifyInstance, config: SandboxConfig): void => {
  const keys = new PartnerKeys(config.partners);
  fastify.decorateRequest('partner', null);
  fastify.addHook('onRequest', (request, _reply, done) => {
    const isOurs = isPartnerApi(request);
    if (isOurs && !isUpload(request)) request.partner = keys.scopeOf(request.headers.authorization);
    if (isOurs || request.socket.localPort === config.managePort) {
      checkAddress(request, config.managePort);
    }
    if (isOurs && request.is404) throw new NotFoundException();
    if (isOurs) checkType(request);
    done();
  });
};
