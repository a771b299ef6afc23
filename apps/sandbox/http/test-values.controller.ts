import { Controller, Get } from '@nestjs/common';
import { TEST_VALUES, type TestValue } from '../test-values.js';

@Controller('sandbox/test-values')
export class TestValuesController {
  @Get()
  read(): readonly TestValue[] {
    return TEST_VALUES;
  }
}
