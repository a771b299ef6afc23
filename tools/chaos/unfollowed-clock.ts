import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface UnfollowedClock {
  /** The value of CLOCK_URL for the apps. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * A proxy through which apps read the sandbox's clock without registering as followers. At each due
 * instant, the sandbox's clock waits until every follower is idle. If killed processes were
 * followers, business time would hardly advance, and no webhook would be sent.
 */
export const startUnfollowedClock = async (clockUrl: string): Promise<UnfollowedClock> => {
  const server = createServer((incoming, outgoing) => {
    if (incoming.method === 'POST') {
      incoming.resume();
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    fetch(clockUrl)
      .then(async (answer) => ({ status: answer.status, text: await answer.text() }))
      .then(
        ({ status, text }) =>
          outgoing.writeHead(status, { 'content-type': 'application/json' }).end(text),
        () => outgoing.writeHead(502).end(),
      );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${new URL(clockUrl).pathname}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
