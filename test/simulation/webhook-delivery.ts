import { HOUR_MS, SECOND_MS } from '#kernel';
import type { FaultRates } from './faults.js';
import type { SimulatedApiProcess } from './platform.js';
import type { ProviderEvent } from './provider/provider.js';
import type { Process, Scheduler } from './scheduler.js';

export interface WebhookDeliveryParts {
  readonly scheduler: Scheduler;
  readonly wires: Process;
  readonly rates: () => FaultRates;
  readonly api: SimulatedApiProcess;
  readonly onBug: (error: unknown) => void;
}

/** Delivers the provider's webhooks to the api: once or twice, late, or never. */
export class WebhookDelivery {
  private sent = 0;

  constructor(private readonly parts: WebhookDeliveryParts) {}

  deliver({ accountId, type, data }: ProviderEvent): void {
    const { scheduler, wires, rates, api, onBug } = this.parts;
    const { random } = scheduler;
    this.sent += 1;
    const eventId = `evt_${String(this.sent).padStart(24, 'A')}`;
    const body = Buffer.from(JSON.stringify({ id: eventId, type, data }));
    const meets = random.chance(rates().webhook);
    const fate = meets ? random.pick(['lost', 'twice', 'late', 'very late']) : 'through';
    const once = async (delayMs: number): Promise<void> => {
      await scheduler.sleep(wires, delayMs, `webhook ${type}`);
      await api.receive({ accountId, eventId, type, body });
    };
    const soon = (): number => random.int(1, 60) * SECOND_MS;
    const go = (delayMs: number): void => void once(delayMs).catch(onBug);
    if (fate === 'late') go(random.int(1, 6 * 60) * 60 * SECOND_MS);
    else if (fate === 'very late') go(random.int(1, 36) * HOUR_MS);
    else if (fate !== 'lost') go(soon());
    if (fate === 'twice') go(soon());
  }
}
