import { Injectable } from '@nestjs/common';
import { Database, isOutdated, type Transaction } from './database.js';
import { Unit } from './unit.js';
import { Wake } from './wake.js';

type Work<T> = (tx: Transaction, unit: Unit) => Promise<T>;

/** Writes units of work to the database, and reports their earliest due instant to the clock. */
@Injectable()
export class Store {
  constructor(
    readonly database: Database,
    private readonly wake: Wake,
  ) {}

  /**
   * Writes a unit in one statement without a transaction, for work that needs no lock. Throws
   * `pg.DatabaseError`.
   */
  async save(unit: Unit): Promise<void> {
    const sql = unit.toSql();
    if (sql === null) return;
    await this.database.query(sql.statement, sql.values);
    this.wake.at(unit.earliestDue);
  }

  /** Runs `work` in a transaction and commits the changes that `work` put into the unit. */
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
   * Runs `work` without a transaction and without locks; the statement that writes the unit
   * compares the versions of the rows that `work` read. When a row has changed meanwhile, `work`
   * runs again with locks. `work` also runs again with locks when it throws, because a concurrent
   * change between its reads may have caused the error.
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
