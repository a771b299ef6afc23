import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { type Instant, parseDurationMs, Rejection } from '#kernel';
import { invalid } from '../api/api-error.js';
import { checkedBody } from '../api/checked.js';
import { Followers } from './followers.js';
import { SandboxClock } from './sandbox-clock.js';
import { MAX_ADVANCE_MS, MAX_RATE, TimeKeeper } from './time-keeper.js';

interface ClockMove {
  readonly advance?: string;
  readonly rate?: number;
}

interface ClockStatus {
  readonly now: Instant;
  readonly rate: number;
}

const clockMove = checkedBody<ClockMove>({
  properties: {
    advance: { type: 'string', maxLength: 64 },
    rate: { type: 'number', exclusiveMinimum: 0, maximum: MAX_RATE },
  },
  minProperties: 1,
  maxProperties: 1,
});

const follower = checkedBody<{ readonly url: string }>({
  required: ['url'],
  properties: { url: { type: 'string', pattern: '^https?://[^\\s]+$', maxLength: 2_048 } },
});

const durationMs = (text: string): number => {
  try {
    const ms = parseDurationMs(text);
    if (ms <= MAX_ADVANCE_MS) return ms;
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
  }
  const msg = 'Input should be a duration such as P7D or PT30M, of at most 3660 days';
  throw invalid({ loc: ['body', 'advance'], msg, type: 'value_error' });
};

/** Moves the sandbox clock. Needs no API key; exists only where the control routes are enabled. */
@Controller('sandbox/clock')
export class ClockController {
  constructor(
    private readonly clock: SandboxClock,
    private readonly keeper: TimeKeeper,
    private readonly followers: Followers,
  ) {}

  @Get()
  read(): ClockStatus {
    return { now: this.clock.now(), rate: this.clock.rate() };
  }

  /** Responds after all work that falls due up to the new time is done. */
  @Post()
  @HttpCode(200)
  async move(@Body() body: unknown): Promise<ClockStatus> {
    const { advance, rate } = clockMove.read(body);
    if (advance !== undefined) await this.keeper.advance(durationMs(advance));
    if (rate !== undefined) await this.keeper.setRate(rate);
    return this.read();
  }

  @Post('followers')
  @HttpCode(200)
  async follow(@Body() body: unknown): Promise<ClockStatus> {
    await this.followers.add(follower.read(body).url);
    return this.read();
  }
}
