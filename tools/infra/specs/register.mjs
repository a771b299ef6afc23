/**
 * Registers the hooks by `node --import` in Jest's processes, where Node itself loads specs and
 * sources.
 */
import { register } from 'node:module';

register('./hooks.mjs', import.meta.url);
