/** Exports the demo's stories, which the demo loads from the compiled code. */
export { runFirstDay, runLastDay } from './business-day.js';
export { runMerchantStory } from './merchant-story.js';
export { runMoneyStory } from './money-story.js';
export { leaveLapsing, leaveOpenCases } from './open-cases.js';
export { runOrderStory } from './story.js';
