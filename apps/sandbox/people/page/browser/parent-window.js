/**
 * Tells the page that frames this one how the payment goes. The messages go to one origin, the one
 * of the payment's return address or else of the referrer; to any only when neither is known.
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
  /** `url` is null when the payment has succeeded; else it is this page's address. */
  const tell = (status, paymentStatus, url = location.href) => {
    if (!isFramed) return;
    const size = sizeOfPage();
    knownHeight = size.height;
    window.parent.postMessage({ status, url, ...size, paymentStatus }, target);
  };
  return {
    tell,
    /**
     * Sends `loaded` again, with the new height, whenever the page has another one: messages beside
     * fields, the bank, a list that is opened. Returns how to end that: nothing follows `finished`.
     */
    followHeight(paymentStatus) {
      const observer = new ResizeObserver(() => {
        if (sizeOfPage().height !== knownHeight) tell('loaded', paymentStatus());
      });
      observer.observe(document.body);
      return () => observer.disconnect();
    },
  };
};

/** All sites above this page, nearest first; empty when the browser does not tell. */
export const sitesAbove = () => {
  const known = location.ancestorOrigins ? [...location.ancestorOrigins] : [];
  return known.length > 0 ? known : [originOf(document.referrer)].filter(Boolean);
};
