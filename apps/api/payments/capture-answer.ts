import { ApiProperty } from '@nestjs/swagger';
import { type Capture, CAPTURE_STATUSES, type CaptureStatus } from '#payment';

/** A capture as the platform sees it. */
export class PaymentCaptureAnswer {
  @ApiProperty({ example: 'cap_3xKq0Zb7Yw2m4c9NfTgV1hJa' })
  id!: string;

  @ApiProperty({
    type: 'integer',
    description: 'In minor units of the order’s currency, e.g. `1250`.',
  })
  amountMinor!: number;

  @ApiProperty({
    enum: CAPTURE_STATUSES,
    description:
      '`requested`: not yet visible at the provider. `accepted`: the provider will collect the money. ' +
      '`sent`: it is being collected. `captured`: the merchant has it. `failed`: the payment ended ' +
      'before, and nothing was collected.',
  })
  status!: CaptureStatus;

  @ApiProperty({ description: 'Whether the rest of the authorization is released after it.' })
  isFinal!: boolean;

  @ApiProperty({
    format: 'date-time',
    description: 'When it was requested, or its latest status was observed.',
  })
  at!: string;
}

export const captureAnswer = ({
  captureId: id,
  amountMinor,
  status,
  isFinal,
  at,
}: Capture): PaymentCaptureAnswer => ({ id, amountMinor, status, isFinal: isFinal === true, at });
