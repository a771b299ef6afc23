import { Inject, Module } from '@nestjs/common';
import { DueWork } from '../clock/due-work.js';
import { SandboxClock } from '../clock/sandbox-clock.js';
import { SANDBOX_CONFIG, type SandboxConfig } from '../settings/sandbox-config.js';
import { Database } from '../storage/database.js';
import { Deliveries } from './deliveries.js';
import { DeliveryFaults } from './delivery-faults.js';
import { DeliveryLog } from './delivery-log.js';
import { DeliveryStore } from './delivery-store.js';
import { EndpointSecrets } from './endpoint-secrets.js';
import { EndpointsController } from './endpoints.controller.js';
import { EventsController } from './events.controller.js';
import { FaultStore } from './fault-store.js';
import { ForwardEndpoints } from './forward-endpoints.js';
import { WebhookSender } from './webhook-sender.js';

/** Events and their delivery to webhook endpoints. */
@Module({
  controllers: [EndpointsController, EventsController],
  providers: [
    Deliveries,
    DeliveryFaults,
    DeliveryLog,
    DeliveryStore,
    FaultStore,
    {
      provide: EndpointSecrets,
      inject: [SANDBOX_CONFIG],
      useFactory: (config: SandboxConfig) => new EndpointSecrets(config.secretsKey),
    },
    {
      provide: WebhookSender,
      inject: [SANDBOX_CONFIG],
      useFactory: (config: SandboxConfig) =>
        new WebhookSender(
          config.webhookLoopback,
          config.webhookCaFile,
          config.forward?.url ?? null,
        ),
    },
    {
      provide: ForwardEndpoints,
      inject: [SANDBOX_CONFIG, Database, EndpointSecrets, SandboxClock],
      useFactory: (
        config: SandboxConfig,
        database: Database,
        secrets: EndpointSecrets,
        clock: SandboxClock,
      ) => new ForwardEndpoints(config.forward, database, secrets, clock),
    },
  ],
  exports: [DeliveryLog],
})
export class WebhooksModule {
  constructor(@Inject(DueWork) work: DueWork, @Inject(Deliveries) deliveries: Deliveries) {
    work.add(deliveries);
  }
}
