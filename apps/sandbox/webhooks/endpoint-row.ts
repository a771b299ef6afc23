import type { Instant } from '#kernel';

export interface EndpointRow {
  readonly id: string;
  readonly account_id: string;
  readonly live: boolean;
  readonly url: string;
  readonly enabled: boolean;
  readonly secret: string;
  readonly created_at: Instant;
  readonly deleted_at: Instant | null;
}
