import { type Instant, msOf } from '#kernel';

/** How the API tells a moment: whole seconds since 1970. */
export const epochSeconds = (at: Instant): number => Math.floor(msOf(at) / 1_000);
