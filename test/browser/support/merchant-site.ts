import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A merchant's site on another origin than the payment page. It shows a page in a frame, stores the
 * messages of the framed page, and gives the frame the height that the messages name.
 */
export interface MerchantSite {
  readonly origin: string;
  /** The URL of a page of this site that shows `frameUrl` in a frame. */
  framing(frameUrl: string, referrerPolicy?: string): string;
  close(): Promise<void>;
}

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;');

const pageFraming = (frameUrl: string): string => `<!doctype html><title>Merchant</title>
<script>
  window.messages = [];
  addEventListener('message', ({ origin, data }) => {
    window.messages.push({ origin, ...data });
    if (data.height > 0) document.querySelector('iframe').style.height = data.height + 'px';
  });
</script>
<iframe name="framed" width="600" height="300" src="${escaped(frameUrl)}"></iframe>`;

/** Starts the site on a free port of `localhost`, which is a different origin than `127.0.0.1`. */
export const startMerchantSite = async (): Promise<MerchantSite> => {
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
    response.setHeader('content-type', 'text/html');
    response.setHeader('referrer-policy', query.get('referrer') ?? 'origin');
    response.end(pageFraming(query.get('frame') ?? 'about:blank'));
  });
  await new Promise<void>((resume) => server.listen(0, '127.0.0.1', resume));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    framing: (frameUrl, referrer = 'origin') =>
      `${origin}/?${new URLSearchParams({ frame: frameUrl, referrer }).toString()}`,
    close: () =>
      new Promise((resume) => {
        server.close(() => resume());
        server.closeAllConnections();
      }),
  };
};
