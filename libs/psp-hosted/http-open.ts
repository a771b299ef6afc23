import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import {
  failureOf,
  type HttpAnswer,
  type HttpExchangeLimits,
  type HttpFailure,
} from './http-exchange.js';
import { jsonOf } from './wire-decode.js';

/**
 * A response whose body is still arriving. The caller must read the body to its end, or destroy it.
 */
export interface OpenAnswer {
  readonly type: 'open';
  readonly headers: HttpAnswer['headers'];
  readonly body: Readable;
}

/**
 * Reads the body of an error response. The provider's error bodies are short, so a longer body is
 * cut, and the response then does not count as a rejection by the provider.
 */
const readSmall = async (body: Readable, maxBytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > maxBytes) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/**
 * Requests a file. The body of a successful response is forwarded while it arrives; any other
 * response is read completely. Never rejects. The time limit applies until the response begins;
 * after that, only the length of a pause within the body is limited.
 */
export const openExchange = async (
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { timeoutMs, maxBodyBytes }: HttpExchangeLimits,
): Promise<OpenAnswer | HttpAnswer | HttpFailure> => {
  const patience = new AbortController();
  const deadline = setTimeout(() => patience.abort(), timeoutMs);
  try {
    const { statusCode, headers, body } = await dispatcher.request({
      ...request,
      signal: patience.signal,
    });
    if (statusCode >= 200 && statusCode < 300) return { type: 'open', headers, body };
    const bytes = await readSmall(body, maxBodyBytes);
    return { type: 'answer', status: statusCode, headers, body: bytes, json: jsonOf(bytes) };
  } catch (error) {
    return failureOf(error, patience.signal.aborted);
  } finally {
    clearTimeout(deadline);
  }
};
