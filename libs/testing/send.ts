import { request } from 'undici';

export interface Sent {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; no body if undefined. */
  readonly body?: unknown;
}

export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const headersOf = (named: Readonly<Record<string, string | string[] | undefined>>): Headers =>
  new Headers(
    Object.entries(named).flatMap(([name, value = []]) =>
      [value].flat().map((one): [string, string] => [name, one]),
    ),
  );

/**
 * Sends a request and reads the whole response; the body of an endless event stream is not read. It
 * takes half the CPU time of `fetch`, and the specs send some 45,000 requests.
 */
export const send = async (
  url: string | URL,
  { method, headers, body: sent }: Sent,
): Promise<Received> => {
  const {
    statusCode,
    headers: named,
    body,
  } = await request(url, {
    method: method as 'GET',
    headers: { ...(sent === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    body: sent === undefined ? null : JSON.stringify(sent),
  });
  const isEndless = named['content-type'] === 'text/event-stream';
  if (isEndless) body.destroy();
  return {
    status: statusCode,
    headers: headersOf(named),
    text: isEndless ? '' : await body.text(),
  };
};
