import type { Dated } from '#kernel';
import type { DisabledReason, EndpointTerms } from './endpoint-event.js';

export type EndpointCommand = Dated<
  | ({ readonly type: 'CreateEndpoint'; readonly platformId: string } & EndpointTerms)
  | ({ readonly type: 'ChangeEndpoint' } & EndpointTerms)
  | {
      readonly type: 'RotateSecret';
      readonly detailsRef: string;
      /** Whether messages are signed only with the new secret from now on. */
      readonly revokesFormer: boolean;
    }
  | { readonly type: 'TestEndpoint' }
  | { readonly type: 'DisableEndpoint'; readonly reason: DisabledReason }
  | { readonly type: 'EnableEndpoint' }
  | { readonly type: 'DeleteEndpoint' }
>;
