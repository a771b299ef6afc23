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
  return {
    /** `url` is null when the payment has succeeded; else it is this page's address. */
    tell(status, paymentStatus, url = location.href) {
      if (!isFramed) return;
      window.parent.postMessage({ status, url, ...sizeOfPage(), paymentStatus }, target);
    },
  };
};

/** All sites above this page, nearest first; empty when the browser does not tell. */
export const sitesAbove = () => {
  const known = location.ancestorOrigins ? [...location.ancestorOrigins] : [];
  return known.length > 0 ? known : [originOf(document.referrer)].filter(Boolean);
};
