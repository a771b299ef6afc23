import { hasBrowser, launchBrowser } from './browser.js';

(hasBrowser() ? test : test.skip)('a page runs in a real browser', async () => {
  const browser = await launchBrowser();
  const page = await browser.context.newPage();
  await page.setContent('<p>before</p><script>document.querySelector("p").append("!")</script>');
  expect(await page.textContent('p')).toBe('before!');
  await browser.close();
});
