import { type StepBuilder, untraced } from '#log';
import { type Clock, Rejection } from '#kernel';
import { stepOnce, type StepOnceParts } from '#operations';
import { exists, type Observation, paymentAggregate } from '#payment';
import { type IntentReader, readPayment } from '#psp';
import { aboutPayment } from './about.js';
import { type Action, type Asked, previewOf } from './action.js';
import { orderOf } from './correlation.js';

export interface RefreshParts extends StepOnceParts {
  readonly clock: Clock;
  /** Returns the account's client; null if the account does not exist. */
  readonly clientOf: (accountId: string) => Promise<IntentReader | null>;
}

/** Reads a payment from the provider and records its state. May throw a `ProviderError`. */
export const refreshAction = ({ pool, store, clock, clientOf }: RefreshParts): Action => {
  const observe = async ({ target }: Asked): Promise<Observation> => {
    const { state } = await store.load(paymentAggregate, target.subjectId);
    if (!exists(state))
      throw new Rejection('no_intent', 'the payment has no intent at the provider');
    const client = await clientOf(state.terms.accountId);
    if (client === null) throw new Rejection('no_account', 'the provider account is missing');
    return readPayment(client, state.intentId);
  };
  const metadataOf = async (asked: Asked) =>
    untraced(await orderOf(store)(asked), asked.id, asked.actor);
  const recording =
    ({ target: { subjectId: paymentId } }: Asked, observation: Observation) =>
    (step: StepBuilder) => {
      const command = { type: 'ObservePayment', paymentId, observation, at: clock.now() } as const;
      return step.execute(paymentAggregate, paymentId, command);
    };
  return {
    takesTwo: false,
    subjectOf: ({ subjectId }) => ({ type: 'payment', id: subjectId }),
    preview: async (asked) => {
      const metadata = await metadataOf(asked);
      const observation = await observe(asked);
      const step = await store.preview(metadata, recording(asked, observation));
      const about = await aboutPayment(store, asked.target.subjectId);
      const { status } = observation.intent;
      const preview = previewOf(step, about, { code: 'status_shown', status });
      return { ...preview, calls: [{ code: 'intent_read' }, ...preview.calls] };
    },
    executedAs: 'step',
    execute: (asked) =>
      stepOnce({ pool, store }, asked.id, async () => {
        const metadata = await metadataOf(asked);
        const observation = await observe(asked);
        return {
          metadata,
          outcome: { status: observation.intent.status },
          work: recording(asked, observation),
        };
      }),
  };
};
