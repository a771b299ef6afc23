import { orderList } from './order-list.js';

/** All projections; a new one needs a migration for its table, and its place here. */
export const PROJECTIONS = [orderList] as const;
