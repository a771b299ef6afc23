import { h } from 'vue';

/** The events of a paid order, each with its actor, as the quick start shows them. */
const EVENTS = [
  ['OrderPlaced', 'platform:shop'],
  ['OrderPaymentStarted', 'saga:checkout'],
  ['IntentCreated', 'provider'],
  ['PaymentAuthorized', 'provider'],
  ['CaptureRequested', 'saga:checkout'],
  ['CaptureAccepted', 'provider'],
  ['OrderPaid', 'saga:checkout'],
  ['PaymentCaptured', 'provider'],
];

/** The picture on the start page, which shows the history of one order. */
export const OrderHistory = () =>
  h('div', { class: 'history' }, [
    h('p', ['ord_7Ni9o1mu2m5c', h('span', '42.50 EUR'), h('strong', 'paid')]),
    h(
      'ol',
      EVENTS.map(([type, actor]) => h('li', [h('code', type), h('span', actor)])),
    ),
  ]);
