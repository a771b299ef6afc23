export { NoneAdapter } from './none-adapter.js';
