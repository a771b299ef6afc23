/** `node --import`: in Jest's processes, where specs and sources are loaded by Node itself. */
import { register } from 'node:module';

register('./hooks.mjs', import.meta.url);
