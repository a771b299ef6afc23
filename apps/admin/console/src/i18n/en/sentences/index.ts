import type { Sentences } from '../../../story/sentence';
import { merchantSentences } from './merchant';
import { orderSentences } from './order';
import { paymentSentences } from './payment';
import { payoutSentences } from './payout';
import { settingsSentences } from './settings';

/** The sentence of each event on the timeline, by the event's type. */
export const sentences: Sentences = {
  ...orderSentences,
  ...paymentSentences,
  ...payoutSentences,
  ...merchantSentences,
  ...settingsSentences,
};
