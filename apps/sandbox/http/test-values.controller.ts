import { Controller, Get } from '@nestjs/common';
import { ONBOARDING_TEST_VALUES } from '../onboarding/test-values.js';
import { TEST_VALUES, type TestValue } from '../test-values.js';

@Controller('sandbox/test-values')
export class TestValuesController {
  @Get()
  read(): readonly TestValue[] {
    return [...TEST_VALUES, ...ONBOARDING_TEST_VALUES];
  }
}
