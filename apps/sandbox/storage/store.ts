import { Injectable } from '@nestjs/common';
import { Database, isOutdated, type Transaction } from './database.js';
import { Unit } from './unit.js';
import { Wake } from './wake.js';

type Work<T> = (tx: Transaction, unit: Unit) => Promise<T>;

/** Commits units and reports their earliest due instant to the clock. */
@Injectable()
export class Store {
  constructor(
    readonly database: Database,
    private readonly wake: Wake,
  ) {}

  /**
   * Writes a unit with one statement and one commit, for writes without a lock. Throws
   * `pg.DatabaseError`.
   */
  async save(unit: Unit): Promise<void> {
    const sql = unit.toSql();
    if (sql === null) return;
    await this.database.query(sql.statement, sql.values);
    this.wake.at(unit.earliestDue);
  }

  /** Runs `work`, which locks, reads and decides; commits what it put into the unit of work. */
  async decide<T>(work: Work<T>): Promise<T> {
    const unit = new Unit();
    const result = await this.database.transaction(async (tx) => {
      const answer = await work(tx, unit);
      const sql = unit.toSql();
      if (sql !== null) tx.write(sql.statement, sql.values);
      return answer;
    });
    this.wake.at(unit.earliestDue);
    return result;
  }

  /**
   * Runs `work` without locks and without a transaction: the rows that it read have versions, which
   * are compared by the statement that writes the unit. When one was changed meanwhile, `work` runs
   * again with locks; and when it throws, because it may have read rows of different moments.
   */
  async decideUnlocked<T>(work: Work<T>): Promise<T> {
    const unit = new Unit();
    let answer: T;
    try {
      answer = await work(this.database.unlocked(), unit);
    } catch {
      return this.decide(work);
    }
    try {
      await this.save(unit);
    } catch (error) {
      if (!isOutdated(error)) throw error;
      return this.decide(work);
    }
    return answer;
  }
}
