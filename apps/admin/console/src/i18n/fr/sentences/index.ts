import type { Sentences } from '../../../story/sentence';
import { merchantSentences } from './merchant';
import { orderSentences } from './order';
import { paymentSentences } from './payment';
import { payoutSentences } from './payout';
import { settingsSentences } from './settings';

export const sentences: Sentences = {
  ...orderSentences,
  ...paymentSentences,
  ...payoutSentences,
  ...merchantSentences,
  ...settingsSentences,
};
