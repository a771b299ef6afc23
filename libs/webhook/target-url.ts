import {
  AddressRefused,
  type AllowedAddresses,
  isLoopbackHttp,
  Problem,
  refuseWrittenAddress,
} from '#platform';

/** The injection token of `WebhookTargets`. */
export const WEBHOOK_TARGETS = Symbol('WebhookTargets');

/**
 * The addresses to which webhooks may be sent. The URL of a loopback address may begin with
 * `http:`.
 */
export type WebhookTargets = AllowedAddresses;

const MAX_URL_CHARS = 2_048;

/**
 * Why no webhook may be sent to this URL, as the end of a sentence that begins with the name of the
 * field; null if the URL is allowed. The addresses of a host name are checked when a webhook is
 * sent.
 */
export const faultOfUrl = (text: string, targets: WebhookTargets): string | null => {
  if (text.length > MAX_URL_CHARS) return `must have at most ${MAX_URL_CHARS} characters`;
  const url = URL.parse(text);
  if (url === null) return 'must be an absolute URL';
  if (url.protocol !== 'https:' && !(targets.allowsLoopback && isLoopbackHttp(url))) {
    return 'must begin with https://';
  }
  if (url.username !== '' || url.password !== '') {
    return 'must not contain a user name or a password';
  }
  if (url.hash !== '') return 'must not contain a fragment (#…)';
  try {
    refuseWrittenAddress(url, targets);
    return null;
  } catch (error) {
    if (!(error instanceof AddressRefused)) throw error;
    return 'must have a public IP address or a host name';
  }
};

/** Throws `Problem` 422 about the field `url` if no webhook may be sent to this URL. */
export const mustBeAllowed = (url: string, targets: WebhookTargets): void => {
  const detail = faultOfUrl(url, targets);
  if (detail === null) return;
  throw new Problem(422, 'validation_failed', `url ${detail}`, {
    errors: [{ detail, pointer: '#/url' }],
  });
};
