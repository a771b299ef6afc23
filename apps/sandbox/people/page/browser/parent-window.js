/**
 * Reports the progress of the payment to the page that frames the payment page. The messages are
 * sent only to the origin of the return URL; without a return URL, to the origin of the referrer;
 * without a referrer, to any origin.
 */

const originOf = (address) => {
  if (!address || !URL.canParse(address)) return null;
  const { origin, protocol } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? origin : null;
};

const sizeOfPage = () => {
  const { width, height } = document.body.getBoundingClientRect();
  return { width: Math.ceil(width), height: Math.ceil(height) };
};

export const isFramed = window.parent !== window;

export const parentWindow = (returnUrl) => {
  const target = originOf(returnUrl) ?? originOf(document.referrer) ?? '*';
  let knownHeight = 0;
  /** `url` is null when the payment has succeeded, and the URL of this page otherwise. */
  const report = (status, paymentStatus, url = location.href) => {
    if (!isFramed) return;
    const size = sizeOfPage();
    knownHeight = size.height;
    window.parent.postMessage({ status, url, ...size, paymentStatus }, target);
  };
  return {
    report,
    /**
     * Sends `loaded` again whenever the height of the page changes, e.g. by an error message or the
     * bank's frame. Returns a function that stops these messages, because no message may follow
     * `finished`.
     */
    followHeight(paymentStatus) {
      const observer = new ResizeObserver(() => {
        if (sizeOfPage().height !== knownHeight) report('loaded', paymentStatus());
      });
      observer.observe(document.body);
      return () => observer.disconnect();
    },
  };
};

/** The origins of all framing pages, nearest first; empty if the browser does not expose them. */
export const sitesAbove = () => {
  const known = location.ancestorOrigins ? [...location.ancestorOrigins] : [];
  return known.length > 0 ? known : [originOf(document.referrer)].filter(Boolean);
};
