import type { FastifyRequest } from 'fastify';

/** The prefix of the onboarding API below every base URL. */
export const PARTNERS_PATH = '/api/partners';

/** The only endpoint below `{manage_url}`. */
export const HISTORY_PATH = `${PARTNERS_PATH}/company-status-history`;

/** The route of the upload URLs. */
export const UPLOAD_PATH = `${PARTNERS_PATH}/document/:token`;

const isBelow = (url: string): boolean =>
  url === PARTNERS_PATH ||
  url.startsWith(`${PARTNERS_PATH}/`) ||
  url.startsWith(`${PARTNERS_PATH}?`);

/**
 * Whether a request is for the onboarding API. Checks both the matched route and the raw path, as
 * the payment API does.
 */
export const isPartnerApi = ({ routeOptions, url }: FastifyRequest): boolean =>
  isBelow(routeOptions.url ?? url) || isBelow(url);

/** Whether a request is for an upload URL, whose token replaces the API key. */
export const isUpload = ({ routeOptions }: FastifyRequest): boolean =>
  routeOptions.url === UPLOAD_PATH;
