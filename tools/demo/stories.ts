/** The demo's stories, as the compiled code that it loads. */
export { runFirstDay, runLastDay } from './business-day.js';
export { runMerchantStory } from './merchant-story.js';
export { runMoneyStory } from './money-story.js';
export { runOrderStory } from './story.js';
