declare global {
  // Libraries that insert style elements read the nonce from this variable.
  var __webpack_nonce__: string | undefined;
}

const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';

globalThis.__webpack_nonce__ = nonce;

/** The content security policy only allows style elements with this nonce of the response. */
export const styleNonce = (): string => nonce;
