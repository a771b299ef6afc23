import { ConfigError, envFlag, envInt, envPort, envText } from './index.js';

const NAME = 'A_SETTING_OF_THIS_SPEC';

afterEach(() => {
  delete process.env[NAME];
});

test('the error of a missing setting names the setting', () => {
  expect(() => envText(NAME)).toThrow(new ConfigError(`set the environment variable ${NAME}`));
  expect(envText(NAME, 'x')).toBe('x');
});

test('an empty setting counts as missing', () => {
  process.env[NAME] = ' ';
  expect(envText(NAME, 'x')).toBe('x');
});

test.each(['1.5', 'ten', '70000', '-1'])('%s is rejected as a port number', (text) => {
  process.env[NAME] = text;
  expect(() => envPort(NAME)).toThrow(`${NAME} must be a whole number from 0 to 65535`);
});

test('a setting can be read as a number or as a flag', () => {
  process.env[NAME] = '1';
  expect(envInt(NAME)).toBe(1);
  expect(envFlag(NAME)).toBe(true);
  process.env[NAME] = 'maybe';
  expect(() => envFlag(NAME)).toThrow(`${NAME} must be 1 or 0`);
});
