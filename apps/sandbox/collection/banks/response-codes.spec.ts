import { RESPONSE_CODES } from './response-codes.js';

/** The table docs/provider/payments.md#payment-response-codes, word for word. */
const ROWS = `
00 | Approval/completion, or VIP PIN verification valid
01 | Refer to card issuer
02 | Refer to card issuer, special condition
03 | Invalid merchant or service provider
04 | Pick up card
05 | Do not honor
06 | General error
07 | Pick up card, special condition (not lost/stolen)
08 | Honor with identification
09 | Request in progress
10 | Partial approval
11 | VIP approval
12 | Invalid transaction
13 | Invalid amount, or amount above program maximum
14 | Invalid account number
15 | No such issuer
16 | Insufficient funds
17 | Customer cancellation
19 | Re-enter transaction
20 | Invalid response
21 | No action taken (prior transaction cannot be backed out)
22 | Suspected malfunction
25 | Record not found, or account number missing from inquiry
28 | File temporarily unavailable
30 | Format error
34 (M) | Suspected fraud
41 (M) | Retain card (reported lost)
43 (M) | Retain card (reported stolen)
51 | Insufficient funds
52 | No checking account
53 | No savings account
54 | Expired card
55 | Incorrect PIN
56 | Card missing from file
57 | Transaction not permitted to cardholder
58 | Transaction not allowed at terminal
59 (M) | Suspected fraud
61 | Activity amount limit exceeded
62 (M) | Restricted card
63 (M) | Security violation
65 (M) | Activity count limit exceeded
68 | Response received too late
75 | Allowed number of PIN tries exceeded
76 | Previous message not found
77 | Closed account
78 | Blocked, first used: new cardholder, card not yet unblocked
80 | Credit issuer unavailable (card network case) or invalid date (private label/check case)
81 | PIN cryptographic error
82 | Negative CAM, dCVV, iCVV or CVV result
83 | Unable to verify PIN
85 | No reason to decline account/address/CVV2 verification, credit voucher or return
91 | Issuer unavailable or switch inoperative
92 | Destination not found for routing
93 (M) | Transaction cannot be completed, violation of law
94 | Duplicate transmission
95 | Reconcile error
96 | System malfunction or field error
98 | Server inaccessible
A0 | Authentication required: card-inserted payment with PIN
A1 | Authentication required: 3D Secure
A2 | PIN request in single-tap mode
B1 | Surcharge not permitted (US acquirers only)
N0 | Force STIP
N3 | Cash service not available
N4 | Cashback request exceeds issuer limit
N7 | Decline for CVV2 failure
P2 | Invalid biller information
P5 | PIN change/unblock declined
P6 | Unsafe PIN
Q1 | Card authentication failed
R0 | Stop payment order
R1 | Revocation of authorization order
R3 | Revocation of all authorizations order
XA | Forward to issuer
XD | Forward to issuer
Z1 | Offline-declined
Z3 | Unable to go online
7810 (M) | Refusal count exceeded for this card / SEPA
7811 (M) | Payment volume exceeded for this card / SEPA
7812 (M) | Card temporarily frozen by the payer's bank
7840 (M) | Stolen or lost card
7898 | Bank server unavailable
`;

const rows = ROWS.trim()
  .split('\n')
  .map((row) => {
    const [code = '', reason = ''] = row.split(' | ');
    return [code.replace(' (M)', ''), { reason, masked: code.endsWith('(M)') }] as const;
  });

test.each(rows)(
  'the response code %s has its specified reason, and is masked if the specification marks it with (M)',
  (code, row) => {
    expect(RESPONSE_CODES[code]).toEqual(row);
  },
);

test('no response codes exist besides those of the specification', () => {
  expect(Object.keys(RESPONSE_CODES).sort()).toEqual(
    [...new Set(rows.map(([code]) => code))].sort(),
  );
});
