/** What the demo tells, as the compiled code that it loads. */
export { liveFirstDay, liveLastDay } from './business-day.js';
export { tellMerchantStory } from './merchant-story.js';
export { tellMoneyStory } from './money-story.js';
export { tellStory } from './story.js';
