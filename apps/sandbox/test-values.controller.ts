import { Controller, Get } from '@nestjs/common';
import type { TestValue } from './api/test-value.js';
import { TEST_VALUES } from './collection/banks/test-values.js';
import { ONBOARDING_TEST_VALUES } from './onboarding/test-values.js';

@Controller('sandbox/test-values')
export class TestValuesController {
  @Get()
  read(): readonly TestValue[] {
    return [...TEST_VALUES, ...ONBOARDING_TEST_VALUES];
  }
}
