/**
 * Thrown if too many commits already wait for the database. Nothing was committed, and a retry may
 * succeed.
 */
export class DatabaseBusy extends Error {
  override readonly name = 'DatabaseBusy';
  /**
   * The SQLSTATE for too many connections, so that this error has the same effects everywhere, e.g.
   * a 503 of the API.
   */
  readonly code = '53300';

  constructor(waiting: number) {
    super(`${waiting} commits wait for the database: nothing was committed`);
  }
}
