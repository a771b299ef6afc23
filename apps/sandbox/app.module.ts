import { type DynamicModule, Module } from '@nestjs/common';
import { CoreModule } from './core.module.js';
import { CustomersController } from './customers/customers.controller.js';
import { PingController } from './http/ping.controller.js';
import { PageModule } from './page/page.module.js';
import { PaymentsModule } from './payments/payments.module.js';
import type { SandboxConfig } from './sandbox-config.js';

/** The provider sandbox. */
@Module({})
export class AppModule {
  static forRoot(config: SandboxConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [CoreModule.forRoot(config), PaymentsModule, PageModule],
      controllers: [PingController, CustomersController],
    };
  }
}
