/** A bank's response to a payment, with its text from the specification. */
export interface ResponseCode {
  readonly reason: string;
  /** True for codes marked (M) in the specification: the payer sees the generic code 05 instead. */
  readonly masked: boolean;
}

const shown = (reason: string): ResponseCode => ({ reason, masked: false });
const masked = (reason: string): ResponseCode => ({ reason, masked: true });

/** The banks' response codes to payments. See docs/provider/payments.md#payment-response-codes. */
export const RESPONSE_CODES: Readonly<Record<string, ResponseCode>> = {
  '00': shown('Approval/completion, or VIP PIN verification valid'),
  '01': shown('Refer to card issuer'),
  '02': shown('Refer to card issuer, special condition'),
  '03': shown('Invalid merchant or service provider'),
  '04': shown('Pick up card'),
  '05': shown('Do not honor'),
  '06': shown('General error'),
  '07': shown('Pick up card, special condition (not lost/stolen)'),
  '08': shown('Honor with identification'),
  '09': shown('Request in progress'),
  10: shown('Partial approval'),
  11: shown('VIP approval'),
  12: shown('Invalid transaction'),
  13: shown('Invalid amount, or amount above program maximum'),
  14: shown('Invalid account number'),
  15: shown('No such issuer'),
  16: shown('Insufficient funds'),
  17: shown('Customer cancellation'),
  19: shown('Re-enter transaction'),
  20: shown('Invalid response'),
  21: shown('No action taken (prior transaction cannot be backed out)'),
  22: shown('Suspected malfunction'),
  25: shown('Record not found, or account number missing from inquiry'),
  28: shown('File temporarily unavailable'),
  30: shown('Format error'),
  34: masked('Suspected fraud'),
  41: masked('Retain card (reported lost)'),
  43: masked('Retain card (reported stolen)'),
  51: shown('Insufficient funds'),
  52: shown('No checking account'),
  53: shown('No savings account'),
  54: shown('Expired card'),
  55: shown('Incorrect PIN'),
  56: shown('Card missing from file'),
  57: shown('Transaction not permitted to cardholder'),
  58: shown('Transaction not allowed at terminal'),
  59: masked('Suspected fraud'),
  61: shown('Activity amount limit exceeded'),
  62: masked('Restricted card'),
  63: masked('Security violation'),
  65: masked('Activity count limit exceeded'),
  68: shown('Response received too late'),
  75: shown('Allowed number of PIN tries exceeded'),
  76: shown('Previous message not found'),
  77: shown('Closed account'),
  78: shown('Blocked, first used: new cardholder, card not yet unblocked'),
  80: shown(
    'Credit issuer unavailable (card network case) or invalid date (private label/check case)',
  ),
  81: shown('PIN cryptographic error'),
  82: shown('Negative CAM, dCVV, iCVV or CVV result'),
  83: shown('Unable to verify PIN'),
  85: shown('No reason to decline account/address/CVV2 verification, credit voucher or return'),
  91: shown('Issuer unavailable or switch inoperative'),
  92: shown('Destination not found for routing'),
  93: masked('Transaction cannot be completed, violation of law'),
  94: shown('Duplicate transmission'),
  95: shown('Reconcile error'),
  96: shown('System malfunction or field error'),
  98: shown('Server inaccessible'),
  A0: shown('Authentication required: card-inserted payment with PIN'),
  A1: shown('Authentication required: 3D Secure'),
  A2: shown('PIN request in single-tap mode'),
  B1: shown('Surcharge not permitted (US acquirers only)'),
  N0: shown('Force STIP'),
  N3: shown('Cash service not available'),
  N4: shown('Cashback request exceeds issuer limit'),
  N7: shown('Decline for CVV2 failure'),
  P2: shown('Invalid biller information'),
  P5: shown('PIN change/unblock declined'),
  P6: shown('Unsafe PIN'),
  Q1: shown('Card authentication failed'),
  R0: shown('Stop payment order'),
  R1: shown('Revocation of authorization order'),
  R3: shown('Revocation of all authorizations order'),
  XA: shown('Forward to issuer'),
  XD: shown('Forward to issuer'),
  Z1: shown('Offline-declined'),
  Z3: shown('Unable to go online'),
  7810: masked('Refusal count exceeded for this card / SEPA'),
  7811: masked('Payment volume exceeded for this card / SEPA'),
  7812: masked("Card temporarily frozen by the payer's bank"),
  7840: masked('Stolen or lost card'),
  7898: shown('Bank server unavailable'),
};

const GENERIC_CODE = '05';

/** The response code shown to the payer: the generic code 05 where the code is masked. */
export const payerResponse = (code: string): { readonly code: string; readonly reason: string } => {
  const known = RESPONSE_CODES[code];
  const shownCode = known === undefined || known.masked ? GENERIC_CODE : code;
  return { code: shownCode, reason: RESPONSE_CODES[shownCode]?.reason ?? '' };
};
