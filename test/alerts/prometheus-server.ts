import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { waitFor } from '#testing';
import { freePort, type Supervised, supervise, waitReady } from '../../tools/infra/processes.mjs';
import { inShard, valueAt } from './alert-case.js';
import { ALERT_CASES, RULES_FILE, shardOf } from './rule-tests.js';

/**
 * Matches metrics whose value is a Unix time. The test data contain a time relative to the start of
 * the series instead, so the server replaces the value by a recent time.
 */
const UNIX_TIME = /_timestamp_seconds\b/;

/**
 * The metrics page: for each alert, the series with which it fires. Each series has its first
 * value, or if `isBad`, the value at the minute at which the alert is checked.
 */
const pageOf = (isBad: boolean): string =>
  ALERT_CASES.flatMap((one) =>
    Object.entries(inShard(one.bad, shardOf(one))).flatMap(([name, values]) => {
      const value = valueAt(values, isBad ? one.minute : 0);
      if (value === null) return [];
      return [`${name} ${UNIX_TIME.test(name) ? Date.now() / 1_000 - 60 : value}\n`];
    }),
  ).join('');

/**
 * The alert rules without the durations in `for`, some of which are hours, so that alerts fire at
 * once.
 */
const RULES_AT_ONCE = readFileSync(RULES_FILE, 'utf8').replaceAll(/^ +for: .+\n/gm, '');

const configOf = (target: string): string => `
global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [rules.yml]
scrape_configs:
  - job_name: cases
    honor_labels: true
    static_configs: [{ targets: ['${target}'] }]
`;

interface Alert {
  readonly state: string;
  readonly labels: Readonly<Record<string, string>>;
}

interface Group {
  readonly rules: readonly { readonly name: string; readonly health: string }[];
}

class CasesPage {
  isBad = false;
  scrapes = 0;
  private readonly server = createServer((_request, response) => {
    this.scrapes += 1;
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' });
    response.end(pageOf(this.isBad));
  });

  /** Returns the host and port of the server. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** A Prometheus server that reads the metrics of all tested alerts each second. */
export class PrometheusServer {
  private constructor(
    private readonly page: CasesPage,
    private readonly process: Supervised,
    private readonly url: string,
  ) {}

  static async start(program: string, dir: string): Promise<PrometheusServer> {
    const page = new CasesPage();
    writeFileSync(join(dir, 'rules.yml'), RULES_AT_ONCE);
    writeFileSync(join(dir, 'prometheus.yml'), configOf(await page.listen()));
    const listen = `127.0.0.1:${await freePort()}`;
    const flags = [
      `--config.file=${join(dir, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(dir, 'data')}`,
      `--web.listen-address=${listen}`,
    ];
    const logFile = join(dir, 'prometheus.log');
    const process = supervise(program, flags, { name: 'Prometheus', logFile });
    const url = `http://${listen}`;
    const isReady = async () => (await fetch(`${url}/-/ready`).catch(() => null))?.ok === true;
    await waitReady(process, isReady, { timeoutMs: 30_000, everyMs: 100 });
    return new PrometheusServer(page, process, url);
  }

  async stop(): Promise<void> {
    await this.process.stop();
    await this.page.close();
  }

  /**
   * Changes all series to values with which their alerts fire. Waits for three scrapes before, so
   * that Prometheus has stored the first values, too.
   */
  async turnBad(): Promise<void> {
    await waitFor(() => this.page.scrapes >= 3);
    this.page.isBad = true;
  }

  /** The labels of the alerts that are firing now. */
  async firing(): Promise<readonly Readonly<Record<string, string>>[]> {
    const { alerts } = await this.read<{ readonly alerts: readonly Alert[] }>('alerts');
    return alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels);
  }

  /** The names of the alerts whose rules could not be evaluated. */
  async failedRules(): Promise<readonly string[]> {
    const { groups } = await this.read<{ readonly groups: readonly Group[] }>('rules');
    const rules = groups.flatMap((group) => group.rules);
    return rules.filter(({ health }) => health !== 'ok').map(({ name }) => name);
  }

  /** The number of series that an expression results in; throws if it is invalid. */
  async seriesOf(expression: string): Promise<number> {
    const query = `query?query=${encodeURIComponent(expression)}`;
    return (await this.read<{ readonly result: readonly unknown[] }>(query)).result.length;
  }

  private async read<T>(what: string): Promise<T> {
    const response = await fetch(`${this.url}/api/v1/${what}`);
    const body = (await response.json()) as { readonly data: T; readonly error?: string };
    if (body.error !== undefined) throw new Error(`${what}: ${body.error}`);
    return body.data;
  }
}
