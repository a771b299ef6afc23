import { type Capture, CAPTURE_STATUSES, type CaptureStatus } from '#payment';
import { DateTime, Field, Integer, OneOf } from '#platform';

/** A capture as the platform sees it. */
export class PaymentCaptureAnswer {
  @Field('The id of the capture, `cap_…`.', { example: 'cap_3xKq0Zb7Yw2m4c9NfTgV1hJa' })
  id!: string;

  @Integer('In minor units of the order’s currency, e.g. `1250`.')
  amountMinor!: number;

  @OneOf(
    CAPTURE_STATUSES,
    '`requested`: not yet visible at the provider. `accepted`: the provider will collect the money. ' +
      '`sent`: the money is being collected. `captured`: the merchant has the money. `failed`: the ' +
      'provider rejected the capture or the payment ended before, so nothing was collected.',
  )
  status!: CaptureStatus;

  @Field('Whether the rest of the authorization is released after the capture.')
  isFinal!: boolean;

  @DateTime('When the latest status of the capture was recorded.')
  at!: string;
}

export const captureAnswer = ({
  captureId: id,
  amountMinor,
  status,
  isFinal,
  at,
}: Capture): PaymentCaptureAnswer => ({ id, amountMinor, status, isFinal: isFinal === true, at });
