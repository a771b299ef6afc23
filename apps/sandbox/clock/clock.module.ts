import { Module } from '@nestjs/common';
import { Followers } from './followers.js';
import { TimeKeeper } from './time-keeper.js';

/** Moves the clock and runs the work that falls due. */
@Module({ providers: [Followers, TimeKeeper], exports: [Followers, TimeKeeper] })
export class ClockModule {}
