/**
 * The accepted media types, detected from the first bytes, never from the name. See
 * docs/provider/onboarding-completion.md#upload-addresses.
 */
export const MEDIA_TYPES = ['application/pdf', 'image/jpeg', 'image/png'] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

const SIGNATURES: Readonly<Record<MediaType, Buffer>> = {
  'application/pdf': Buffer.from('%PDF-', 'latin1'),
  'image/jpeg': Buffer.from([0xff, 0xd8, 0xff]),
  'image/png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
};

/** The media type of a file that starts with these bytes; null for any other type. */
export const mediaTypeOf = (head: Buffer): MediaType | null =>
  MEDIA_TYPES.find((type) => {
    const signature = SIGNATURES[type];
    return head.subarray(0, signature.length).equals(signature);
  }) ?? null;
