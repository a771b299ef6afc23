import { Inject, Injectable } from '@nestjs/common';
import { DAY_MS, type Instant, newId, plusMs, randomText } from '#kernel';
import { notAllowed, partnerNotFound } from '../../api/partner/partner-error.js';
import type { PartnerScope } from '../../api/partner/partner-keys.js';
import type { DueSource } from '../../clock/due-work.js';
import { SandboxClock } from '../../clock/sandbox-clock.js';
import type { Transaction } from '../../storage/database.js';
import { nextDueOf } from '../../storage/next-due.js';
import { Wake } from '../../storage/wake.js';
import type { CompanyRow } from '../companies/company-row.js';
import { CompanyStore } from '../companies/company-store.js';
import { terminalMachine, type TerminalStatus, type UserAreaMove } from './terminal-status.js';
import type { TerminalView } from './terminal-wire.js';

interface TerminalRow {
  readonly id: string;
  readonly company_id: string;
  readonly name: string;
  readonly status: TerminalStatus;
  readonly carrier_name: string | null;
  readonly tracking_url: string | null;
  readonly due_at: Instant | null;
}

/** The time between two timed status changes of a terminal. */
const STEP_MS = DAY_MS;
const CHUNK = 100;
const CARRIER = 'Parcel Express';

const COLUMNS = 'id, company_id, name, status, carrier_name, tracking_url, due_at';
const INSERT = {
  name: 'terminals:insert',
  text: `INSERT INTO onboarding_terminals
           (id, company_id, account_id, name, status, shipping_address, created_at, due_at)
         VALUES ($1, $2, $3, $4, 'pendingOrder', $5, $6, $7)`,
};
const LIST = {
  name: 'terminals:list',
  text: `SELECT ${COLUMNS} FROM onboarding_terminals
         WHERE company_id = $1 AND account_id = $2 ORDER BY seq`,
};
const LOCK = {
  name: 'terminals:lock',
  text: `SELECT ${COLUMNS} FROM onboarding_terminals WHERE id = $1 FOR UPDATE`,
};
const SAVE = {
  name: 'terminals:save',
  text: `UPDATE onboarding_terminals
         SET status = $2, due_at = $3, carrier_name = $4, tracking_url = $5 WHERE id = $1`,
};
const DUE = {
  name: 'terminals:due',
  text: `SELECT id FROM onboarding_terminals WHERE due_at <= $1 ORDER BY due_at, id
         LIMIT ${CHUNK}`,
};

const view = (row: TerminalRow): TerminalView => ({
  id: row.id,
  name: row.name,
  status: row.status,
  ...(row.carrier_name === null || row.tracking_url === null
    ? {}
    : { 'carrier-name': row.carrier_name, 'tracking-url': row.tracking_url }),
});

const TERMINAL_ID = /^term_[A-Za-z0-9]{24}$/;

/**
 * The fields of the shipping address that an order for a payment terminal requires. See
 * docs/provider/onboarding-completion.md#terminals.
 */
const NEEDED_TO_SHIP = ['business-name', 'line1', 'zip-code', 'city', 'country'] as const;

const refuseOrder = ({ status, file }: CompanyRow): void => {
  if (status !== 'validated' && status !== 'available') {
    throw notAllowed(`a company that is ${status} cannot order a terminal`);
  }
  const address = file['shipping-address'] ?? {};
  const missing = NEEDED_TO_SHIP.filter((field) => address[field] === undefined);
  if (missing.length > 0) {
    throw notAllowed(`the company's shipping-address has no ${missing.join(', ')}`);
  }
};

/**
 * Payment terminals: ordered by the partner; their status is changed by the clock and by the
 * merchant.
 */
@Injectable()
export class TerminalsService implements DueSource {
  readonly name = 'terminals';

  constructor(
    @Inject(CompanyStore) private readonly companies: CompanyStore,
    @Inject(SandboxClock) private readonly clock: SandboxClock,
    @Inject(Wake) private readonly wake: Wake,
  ) {}

  /**
   * Orders a terminal. Throws `PartnerError` 404; 409 when the company's status does not allow an
   * order yet, or when the shipping address is missing.
   */
  async order(
    scope: PartnerScope,
    wanted: { readonly company: string; readonly account: string; readonly name: string },
  ): Promise<TerminalView> {
    const id = newId('term');
    const dueAt = plusMs(this.clock.now(), STEP_MS);
    const { company: companyId, account, name } = wanted;
    await this.companies.database.transaction(async (tx) => {
      const company = await this.companies.lock(tx, scope, companyId);
      if (company.account_id !== account) throw partnerNotFound('account', account);
      refuseOrder(company);
      const address = company.file['shipping-address'];
      await tx.query(INSERT, [id, companyId, account, name, address, this.clock.now(), dueAt]);
    });
    this.wake.at(dueAt);
    return { id, name, status: 'pendingOrder' };
  }

  async list(
    scope: PartnerScope,
    companyId: string,
    account: string,
  ): Promise<readonly TerminalView[]> {
    const company = await this.companies.read(scope, companyId);
    if (company.account_id !== account) throw partnerNotFound('account', account);
    return this.listOf(companyId, account);
  }

  async listOf(companyId: string, account: string): Promise<readonly TerminalView[]> {
    const rows = await this.companies.database.query<TerminalRow>(LIST, [companyId, account]);
    return rows.map(view);
  }

  /** Cancels an order. Throws `PartnerError` 404, or 409 when the order is no longer pending. */
  async cancel(
    scope: PartnerScope,
    wanted: { readonly company: string; readonly account: string; readonly terminal: string },
  ): Promise<TerminalView> {
    const company = await this.companies.read(scope, wanted.company);
    if (company.account_id !== wanted.account) throw partnerNotFound('account', wanted.account);
    return this.moveByHand(company.id, wanted.terminal, 'cancel');
  }

  /**
   * Changes a terminal by an action of the merchant or a cancellation of the partner. Throws 404,
   * or 409 when the terminal's status does not allow it.
   */
  moveByHand(
    companyId: string,
    terminalId: string,
    move: UserAreaMove | 'cancel',
  ): Promise<TerminalView> {
    const isId = TERMINAL_ID.test(terminalId);
    return this.companies.database.transaction(async (tx) => {
      const [row] = isId ? await tx.query<TerminalRow>(LOCK, [terminalId]) : [];
      if (row === undefined || row.company_id !== companyId) {
        throw partnerNotFound('payment terminal', terminalId);
      }
      if (!terminalMachine.can(row.status, move)) {
        throw notAllowed(`a payment terminal that is ${row.status} does not allow this action`);
      }
      const moved = { ...row, status: terminalMachine.next(row.status, move), due_at: null };
      await this.save(tx, moved);
      return view(moved);
    });
  }

  nextDue(): Promise<Instant | null> {
    return nextDueOf(this.companies.database, 'onboarding_terminals');
  }

  async begin(upTo: Instant): Promise<void> {
    for (;;) {
      const due = await this.companies.database.query<{ id: string }>(DUE, [upTo]);
      if (due.length === 0) return;
      for (const { id } of due) await this.pass(id, upTo);
    }
  }

  async settled(): Promise<void> {
    // Nothing to wait for, because `begin` resolves only when its work is done.
  }

  /**
   * Executes a terminal's next step after checking again under the lock: the order may have been
   * canceled.
   */
  private async pass(id: string, upTo: Instant): Promise<void> {
    await this.companies.database.transaction(async (tx) => {
      const [row] = await tx.query<TerminalRow>(LOCK, [id]);
      if (row === undefined || row.due_at === null || row.due_at > upTo) return;
      const status = terminalMachine.next(row.status, 'pass');
      const goesOn = terminalMachine.can(status, 'pass');
      const shipped = status === 'shipped';
      const parcel = randomText(12).toUpperCase();
      await this.save(tx, {
        ...row,
        status,
        due_at: goesOn ? plusMs(row.due_at, STEP_MS) : null,
        carrier_name: shipped ? CARRIER : row.carrier_name,
        tracking_url: shipped ? `https://parcels.example.test/${parcel}` : row.tracking_url,
      });
    });
  }

  private async save(tx: Transaction, row: TerminalRow): Promise<void> {
    const { id, status, due_at: due, carrier_name: carrier, tracking_url: tracking } = row;
    await tx.query(SAVE, [id, status, due, carrier, tracking]);
  }
}
