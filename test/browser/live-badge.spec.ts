import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hasBrowser } from '#testing';
import { ConsoleFixture } from './support/console.js';

/** How long the test waits for the badge to notice a silent connection. */
const SILENCE = { timeout: 60_000 };

/** A stream that opens, sends nothing and never ends, like a connection lost in the network. */
const silentStream = async (): Promise<{ readonly server: Server; readonly url: string }> => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('retry: 10\n\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
};

(hasBrowser() ? describe : describe.skip)(
  'the badge that says whether a page receives live updates',
  () => {
    let at: ConsoleFixture;

    beforeAll(async () => {
      at = await ConsoleFixture.start();
    });
    afterAll(() => at.stop());

    test('the badge shows “Offline” while the browser is offline, and “Live” when the browser is online again', async () => {
      const page = await at.signedIn('viewer', '/orders');
      await page.getByText('Live', { exact: true }).waitFor();
      await page.context().setOffline(true);
      await page.getByText('Offline', { exact: true }).waitFor();
      expect(await page.getByText('Live', { exact: true }).count()).toBe(0);
      await page.context().setOffline(false);
      await page.getByText('Live', { exact: true }).waitFor();
    });

    test('the badge hides “Live” when the event stream is silent, and shows “Live” after a reconnect', async () => {
      const page = await at.signedIn('viewer', '/');
      const { server, url } = await silentStream();
      let opened = 0;
      let answer = (): void => {};
      await page.route('**/v1/changes', async (route) => {
        opened += 1;
        if (opened === 1) return route.continue({ url });
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        return route.continue();
      });
      await at.open(page, '/orders');
      await page.getByText('Live', { exact: true }).waitFor();
      await page.getByText('Reconnecting …').waitFor(SILENCE);
      answer();
      await page.getByText('Live', { exact: true }).waitFor();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      server.closeAllConnections();
      server.close();
    });
  },
);
