declare global {
  // What libraries that add a style element by themselves look for.
  var __webpack_nonce__: string | undefined;
}

const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';

globalThis.__webpack_nonce__ = nonce;

/** The page's policy takes style elements with this nonce alone: another one for each answer. */
export const styleNonce = (): string => nonce;
