import { Module } from '@nestjs/common';
import { Followers } from './followers.js';
import { TimeKeeper } from './time-keeper.js';

/** What moves the clock, and does what falls due on it. */
@Module({ providers: [Followers, TimeKeeper], exports: [Followers, TimeKeeper] })
export class ClockModule {}
