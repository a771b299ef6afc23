/**
 * Registers the hooks by `node --import` in Jest's processes, where Node itself loads specs and
 * sources. On an older Node the hooks run in a thread of their own, to which every import of a
 * module sends a message.
 */
import * as nodeModule from 'node:module';

import { load, resolve } from './hooks.mjs';

if ('registerHooks' in nodeModule) nodeModule.registerHooks({ load, resolve });
else nodeModule.register('./hooks.mjs', import.meta.url);
