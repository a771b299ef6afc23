import { urlOfProcess } from './row-record.js';

/** The sessions of the process under test have its process id in their application name. */
const { DATABASE_URL: url } = process.env;
if (url !== undefined) process.env['DATABASE_URL'] = urlOfProcess(url, process.pid);
