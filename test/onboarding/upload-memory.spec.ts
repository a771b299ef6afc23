import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId, randomText } from '#kernel';
import { MAX_DOCUMENT_BYTES } from '#psp';
import { freePort, type RunningApp, startProcess } from '#testing';
import { PDF } from '../../tools/stack/seller.js';
import { OnboardingFixture, PARTNER_KEY } from '../support/onboarding.js';

/**
 * The api forwards files as streams, so that its memory does not grow with the size or number of
 * files.
 */

const AT_ONCE = 8;
const ROUNDS = 4;
/**
 * Memory may grow by half a file for each concurrent upload. A process that buffers whole files
 * needs twice as much.
 */
const MAX_GROWTH_BYTES = (AT_ONCE * MAX_DOCUMENT_BYTES) / 2;
/**
 * The maximum growth in further rounds: a fifth of what the api would need if it kept each file. V8
 * collects garbage later on a busy machine: up to 46 MiB were measured without a leak.
 */
const MAX_LATER_GROWTH_BYTES = (ROUNDS * AT_ONCE * MAX_DOCUMENT_BYTES) / 5;
const CHUNK = Buffer.alloc(256 * 1_024, 32);

let fixture: OnboardingFixture;
let key: string;
let id: string;
let sink: Sink;
let api: RunningApp;

/**
 * A provider that reads uploaded documents slowly, so that the api must wait before it can send
 * more.
 */
class Sink {
  received = 0;

  private constructor(
    private readonly server: Server,
    company: string,
  ) {
    server.on('request', (incoming: IncomingMessage, outgoing) => {
      void this.take(incoming).then((answer) => {
        outgoing.writeHead(200, { 'content-type': 'application/json' });
        outgoing.end(incoming.method === 'GET' ? company : answer(company));
      });
    });
  }

  static async start(company: string): Promise<Sink> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Sink(server, company);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private async take(incoming: IncomingMessage): Promise<(company: string) => string> {
    let sincePause = 0;
    for await (const chunk of incoming) {
      const { byteLength } = chunk as Buffer;
      this.received += byteLength;
      sincePause += byteLength;
      if (sincePause < 1_048_576) continue;
      sincePause = 0;
      await sleep(20);
    }
    const file = { 'file-type': 'application/pdf', id: newId('dcmt'), 'user-file-name': 'a.pdf' };
    return (company) => {
      const {
        company: { id: companyId },
      } = JSON.parse(company) as { company: { id: string } };
      return JSON.stringify({ company: companyId, files: [file] });
    };
  }
}

beforeAll(async () => {
  fixture = await OnboardingFixture.start();
  key = await fixture.api.newKey(`p-${randomText(8)}`);
  const merchant = await fixture.registered(key);
  ({ id } = merchant);
  const answer = await fetch(
    `${fixture.sandbox.url}/api/partners/company?id=${merchant.companyId}`,
    { headers: { authorization: `Basic ${Buffer.from(`${PARTNER_KEY}:`).toString('base64')}` } },
  );
  sink = await Sink.start(await answer.text());
  const port = await freePort();
  const { databaseUrl, secretsKey } = fixture.api.config;
  api = await startProcess({
    app: 'api',
    port,
    timeoutMs: 60_000,
    env: {
      DATABASE_URL: databaseUrl,
      SECRETS_KEY: secretsKey,
      API_PORT: String(port),
      API_INTERNAL_PORT: '0',
      PARTNERS_URL: `${sink.url}/api/partners`,
      STATUS_HISTORY_URL: sink.url,
      PROVIDER_URL: sink.url,
      PARTNER_TEST_KEY: PARTNER_KEY,
      TLS_CERT_FILE: '',
      CLOCK_URL: '',
      LOG_LEVEL: 'warn',
    },
  });
});
afterAll(async () => {
  await api?.stop();
  await sink?.stop();
  await fixture.stop();
});

const rssBytes = (): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${api.pid}/status`, 'utf8'))?.[1]) * 1_024;

/** Sends a PDF of exactly 10 MiB, as fast as the api accepts it. */
const sendLargest = async (): Promise<number> => {
  const head = Buffer.from(
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n',
  );
  const call = httpRequest(`${api.url}/v1/merchants/${id}/documents?kind=registration_extract`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'multipart/form-data; boundary=b',
    },
  });
  const status = new Promise<number>((resolve, reject) => {
    call.on('error', reject);
    call.on('response', (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 0));
    });
  });
  const write = async (bytes: Buffer): Promise<void> => {
    if (!call.write(bytes)) await new Promise((resolve) => call.once('drain', resolve));
  };
  await write(Buffer.concat([head, PDF]));
  for (let left = MAX_DOCUMENT_BYTES - PDF.length; left > 0; left -= CHUNK.length) {
    await write(CHUNK.subarray(0, Math.min(left, CHUNK.length)));
  }
  call.end('\r\n--b--\r\n');
  return status;
};

/** The api process's peak memory in bytes during `rounds` rounds of concurrent uploads. */
const peakOf = async (rounds: number): Promise<number> => {
  let peak = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      peak = Math.max(peak, rssBytes());
      await sleep(20);
    }
  })();
  for (let round = 0; round < rounds; round += 1) {
    const statuses = await Promise.all(Array.from({ length: AT_ONCE }, sendLargest));
    expect(statuses).toEqual(Array.from({ length: AT_ONCE }, () => 200));
  }
  isOver = true;
  await watching;
  return peak;
};

test('the memory of the api does not grow during repeated rounds of eight concurrent uploads of 10 MiB', async () => {
  expect(await sendLargest()).toBe(200);
  const before = rssBytes();
  const first = await peakOf(1);
  const later = await peakOf(ROUNDS);
  const MIB = 1_048_576;
  process.stdout.write(
    `api RSS: ${Math.round(before / MIB)} MiB before, ${Math.round(first / MIB)} at most in one ` +
      `round, ${Math.round(later / MIB)} in ${ROUNDS} more\n`,
  );
  expect(sink.received).toBeGreaterThan((ROUNDS + 1) * AT_ONCE * MAX_DOCUMENT_BYTES);
  expect(first - before).toBeLessThan(MAX_GROWTH_BYTES);
  expect(later - first).toBeLessThan(MAX_LATER_GROWTH_BYTES);
});
