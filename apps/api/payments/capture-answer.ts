import { ApiProperty } from '@nestjs/swagger';
import { type Capture, CAPTURE_STATUSES, type CaptureStatus } from '#payment';

/** A capture as the platform sees it. */
export class PaymentCaptureAnswer {
  @ApiProperty({ example: 'cap_3xKq0Zb7Yw2m4c9NfTgV1hJa' })
  id!: string;

  @ApiProperty({ type: 'integer', description: 'In minor units of the order’s currency.' })
  amountMinor!: number;

  @ApiProperty({
    enum: CAPTURE_STATUSES,
    description:
      '`requested`: not seen at the provider yet. `accepted`: the provider will take the money. ' +
      '`sent`: it is taking it. `captured`: the merchant has it. `failed`: the payment ended ' +
      'before, and the capture took nothing.',
  })
  status!: CaptureStatus;

  @ApiProperty({ description: 'What is left of the authorization is released after it.' })
  isFinal!: boolean;

  @ApiProperty({
    format: 'date-time',
    description: 'When it was asked for, or its latest status was learnt.',
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
