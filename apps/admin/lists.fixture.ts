import type { Pool } from 'pg';

/**
 * Inserts into each list one row that differs from all other rows in every field that has a filter.
 */
export const plantOthers = async (pool: Pool): Promise<void> => {
  await pool.query(`
    INSERT INTO order_list VALUES
      ('ord_old', 'mall', 'm2', 'OLD-1', 990, 'eur', 'paid', 'pay_old', '2020-01-02', 1);
    INSERT INTO payment_list VALUES
      ('pay_old', 'ord_old', 'mall', 'acc_2', 990, 'eur', 'authorized', 'pi_old', '{}', '{refund}', 0,
       true, true, '2020-01-02', 1, '{}', '{rfr_old}');
    INSERT INTO order_search VALUES ('ord_old', 'OLD-1 payer-77');
    INSERT INTO payment_search VALUES ('pay_old', 'pi_old');
    UPDATE payment_list SET last_four = '0044' WHERE payment_id = 'pay_old';
    INSERT INTO payout_list VALUES
      ('pout_old', 'acc_2', 'mall', 'm2', 'test', 'OLD-1', 'eur', 990, 0, 0, '2020-01-02', 'paid',
       NULL, '{}', true, 1, '{}', 0, 1),
      ('pout_new', 'acc_1', 'shop', 'm1', 'test', 'NEW-1', 'eur', 990, 0, 0, '2020-01-03', 'sent',
       NULL, '{}', true, 1, '{"fee": 1}', 0, 1);
    UPDATE order_list SET account_id = 'acc_2', methods = '{sepa}', updated_at = '2020-02-02'
     WHERE order_id = 'ord_old';
    UPDATE order_list SET updated_at = placed_at, methods = '{card}' WHERE order_id <> 'ord_old';
    UPDATE payment_list SET updated_at = '2020-02-02', method = 'sepa', captured_minor = 1,
           rejected_captures = '{cap_old}', authorized_at = '2020-01-02', expires_at = '2020-01-09',
           declined_at = '2020-01-02', decline_code = '51'
     WHERE payment_id = 'pay_old';
    UPDATE payment_list SET updated_at = requested_at WHERE payment_id <> 'pay_old';
    UPDATE payout_list SET updated_at = '2020-02-02' WHERE payout_id = 'pout_old';
    UPDATE payout_list SET updated_at = '2020-02-03', amount_minor = 1250 WHERE payout_id = 'pout_new';
    INSERT INTO provider_accounts
           (id, platform_id, merchant_id, mode, api_key_sealed, webhook_secret_sealed)
    VALUES ('acc_2', 'mall', 'm2', 'test', '', ''), ('acc_live', 'shop', 'm9', 'live', '', '');
    INSERT INTO merchant_list VALUES
      ('mer_old', 'mall', 'OLD-1', 'live', 'available', true, 'comp_old', '2020-01-02', 1),
      ('mer_new', 'shop', 'NEW-1', 'test', 'draft', false, NULL, '2020-01-03', 1);
    INSERT INTO reconciliation_exceptions
           (exception_id, kind, account_id, platform_id, merchant_id, line_kind, object_id,
            payment_id, payout_id, currency, amount_minor, expected, observed, since, found_at,
            closed_at, closed_by)
    VALUES ('exc_old', 'late', 'acc_2', 'mall', 'm2', 'payment', 'paym_2', 'pay_old', 'pout_old',
            'eur', 990, '', '', '2020-01-02', '2020-01-02', '2020-01-03', 'facts'),
           ('exc_new', 'fee', 'acc_1', 'shop', 'm1', 'payment', 'paym_3', 'pay_1', 'pout_new',
            'usd', 990, '', '', '2020-01-03', '2020-01-03', NULL, NULL);
    INSERT INTO ledger_journal VALUES
      ('00000000-0000-4000-8000-000000000001', 'dispute', 'dspt_old', 'pay_old', 'acc_2', 'mall', 'chf',
       990, 0, -990, 0, 0, 0, 990, '2020-01-02'),
      ('00000000-0000-4000-8000-000000000002', 'payment', 'pay_1', 'pay_1', 'acc_1', 'shop', 'eur',
       990, -990, 990, 0, 0, 0, 0, '2020-01-03');
    INSERT INTO webhooks_received (account_id, event_id, type, body_bytes, body_sha256, intent_id, handled_at)
    VALUES ('acc_2', 'evt_old', 'payment.captured', 0, '', 'pi_old', now());
    INSERT INTO webhooks_refused (account_id, reason, body_bytes, body_sha256)
    VALUES ('acc_2', 'signature', 1, ''), (NULL, 'signature', 1, '');
    INSERT INTO webhook_endpoints (id, platform_id, merchant_id, host, event_types, status, details_ref,
                                   created_at, epoch, transaction_id)
    VALUES ('whe_old', 'mall', 'm2', 'old.example', '{*}', 'enabled', 'whd_old', now(), 1, '0'),
           ('whe_new', 'shop', 'm1', 'new.example', '{*}', 'enabled', 'whd_new', now(), 1, '0');
    INSERT INTO webhook_deliveries (id, endpoint_id, platform_id, event_id, event_type, stream_type,
                                    stream_id, version, state, created_at)
    VALUES ('whm_old', 'whe_old', 'mall', '00000000-0000-4000-8000-000000000001', 'OrderPaid', 'order',
            'ord_old', 1, 'failed', '2020-01-02'),
           ('whm_new', 'whe_new', 'shop', '00000000-0000-4000-8000-000000000002', 'OrderPaid', 'order',
            'ord_1', 1, 'delivered', '2020-01-03');
    INSERT INTO audit (at, actor, action, subject_type, subject_id, request_id)
    VALUES ('2020-01-02', 'ops:old', 'spec.done', 'order', 'ord_old', 'req_old');
  `);
};

/** Filters by amount and by the time of the last change, which only the inserted row matches. */
const USUAL = [
  'currency=eur&amountFrom=980&amountTo=990',
  'updatedFrom=2020-02-02T00:00:00Z&updatedTo=2020-02-02T00:00:00.001Z',
];

const DAY = 'from=2020-01-02T00:00:00Z&to=2020-01-02T00:00:00.001Z';

interface Listed {
  /** The fields that identify the expected row in the response. */
  readonly row: object;
  /** Queries that each find the expected row and no other. */
  readonly by: readonly string[];
  /** A query that finds nothing. */
  readonly past?: string;
  readonly isExported: boolean;
}

/** The filter cases of each list. */
export const LISTS: Readonly<Record<string, Listed>> = {
  orders: {
    row: { id: 'ord_old' },
    isExported: true,
    past: 'to=2020-01-02T00:00:00Z',
    by: [
      'status=paid',
      'status=paid&status=closing',
      'platformId=mall',
      'merchantId=m2',
      'accountId=acc_2',
      'mode=test',
      'method=sepa',
      'reference=OLD-1',
      DAY,
      'search=yer-77',
      'search=%E2%82%AC9.90+ord_o+paid+2020-01-02',
      'search=status:paid,closing+merchant:m2+amount:%3C9.91',
      'search=pi_old',
      ...USUAL,
    ],
  },
  payments: {
    row: { id: 'pay_old' },
    isExported: true,
    past: 'to=2020-01-02T00:00:00Z',
    by: [
      'status=authorized',
      'status=authorized&status=returned',
      'mode=test',
      'authorizedFrom=2020-01-02T00:00:00Z',
      'authorized=true',
      'declinedFrom=2020-01-02T00:00:00Z',
      'declineCode=51',
      'expiresTo=2020-01-10T00:00:00Z',
      'platformId=mall',
      'accountId=acc_2',
      'merchantId=m2',
      'method=sepa',
      ...USUAL,
      'orderId=ord_old',
      'intentId=pi_old',
      'lastFour=0044',
      'unknownResults=true&platformId=mall',
      'disputed=true',
      'mismatched=true',
      'rejectedRefunds=true',
      'rejectedCaptures=true',
      'capturedInPart=true',
      DAY,
      'status=authorized&disputed=false',
      'search=pi_old',
      'search=old-1+9,90',
      'search=status:disputed+amount:9.9..10+method:sepa+date:%3E2020-01-01+order:ord_old',
    ],
  },
  payouts: {
    row: { id: 'pout_old' },
    isExported: true,
    past: 'to=2020-01-02',
    by: [
      'status=paid',
      'status=paid&status=failed',
      'platformId=mall',
      'merchantId=m2',
      'accountId=acc_2',
      'mode=test',
      'reconciliation=matched',
      'reference=OLD-1',
      ...USUAL,
      'from=2020-01-02&to=2020-01-03',
      'search=old-1+date:2020-01-02',
    ],
  },
  merchants: {
    row: { id: 'mer_old' },
    isExported: true,
    by: [
      'status=available',
      'platformId=mall',
      'reference=OLD-1',
      'companyId=comp_old',
      'search=mp_old',
      'mode=live',
      'ordersEnabled=true',
    ],
  },
  exceptions: {
    row: { id: 'exc_old' },
    isExported: false,
    by: [
      'state=closed',
      'kind=late',
      'platformId=mall',
      'merchantId=m2',
      'accountId=acc_2',
      'payoutId=pout_old',
      'paymentId=pay_old',
      'id=exc_old',
      'mode=test',
      'currency=eur',
      'sinceFrom=2020-01-02&sinceTo=2020-01-03',
    ],
  },
  'ledger-entries': {
    row: { eventId: '00000000-0000-4000-8000-000000000001' },
    isExported: true,
    past: 'to=2020-01-02T00:00:00Z',
    by: [
      'kind=dispute',
      'kind=dispute&kind=refund',
      'currency=chf',
      'platformId=mall',
      'merchantId=m2',
      'accountId=acc_2',
      'mode=test',
      DAY,
    ],
  },
  webhooks: {
    row: { eventId: 'evt_old' },
    isExported: false,
    by: ['state=handled', 'accountId=acc_2', 'intentId=pi_old', 'eventId=evt_old'],
  },
  'webhooks-refused': {
    row: { accountId: 'acc_2' },
    isExported: false,
    by: ['accountId=acc_2'],
  },
  'webhook-deliveries': {
    row: { id: 'whm_old', host: 'old.example', lastResult: null },
    isExported: false,
    past: 'to=2020-01-02T00:00:00Z',
    by: [
      'state=failed',
      'state=failed&state=pending',
      'endpointId=whe_old',
      'platformId=mall',
      DAY,
    ],
  },
  audit: {
    row: { requestId: 'req_old' },
    isExported: true,
    past: 'to=2020-01-02T00:00:00Z',
    by: ['actor=ops:old', 'action=spec.done', 'subjectId=ord_old', DAY],
  },
};
