import { type Instant, msOf } from '#kernel';

/** The API's representation of a time: whole seconds since 1970. */
export const epochSeconds = (at: Instant): number => Math.floor(msOf(at) / 1_000);
