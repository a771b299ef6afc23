import type { Entry } from './event-stream.js';

/** What a person reads for an event; one that is not here is told by its name. */
const SENTENCES: Readonly<Record<string, string>> = {
  OrderPlaced: 'Order placed',
  IntentRequested: 'Payment asked of the provider',
  OrderPaymentStarted: 'Payment started',
  IntentCreated: 'Payment page ready',
  AttemptRefused: 'Attempt refused by the bank',
  PaymentAuthorized: 'Authorized by the bank',
  PageFinished: 'Page seen to finish',
  OrderAuthorized: 'Order authorized',
  CaptureRequested: 'Capture asked for',
  CaptureAccepted: 'Capture accepted: the money is on its way',
  OrderPaid: 'Order paid: deliver',
  CaptureSent: 'Sent to clearing',
  PaymentCaptured: 'Captured: the money is there',
};

const WIDTH = 44;

/** One line of the story: business time, what happened, to what, and by whom. */
export const lineOf = (entry: Entry, dim: (text: string) => string): string => {
  const sentence = SENTENCES[entry.type] ?? entry.type.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
  const day = entry.at.slice(5, 10);
  const time = entry.at.slice(11, 19);
  const subject = `${entry.subjectType} ${entry.subjectId.slice(0, 12)}…`;
  return `  ${dim(`${day} ${time}`)}  ${sentence.padEnd(WIDTH)} ${dim(`${subject}  ${entry.actor}`)}`;
};
