import { inBrowser, useData, useRoute } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h, nextTick, onMounted, watch } from 'vue';

import { OrderHistory } from './history.js';
import './style.css';

/**
 * A copy of Mermaid that `tools/docs.mjs` puts beside the pages, so that the site loads nothing
 * from other hosts.
 */
const MERMAID = '/mermaid.min.js';

const load = () =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = MERMAID;
    script.addEventListener('load', resolve);
    script.addEventListener('error', reject);
    document.head.append(script);
  });

let loading;

const THEMES = {
  light: { theme: 'neutral' },
  // With Mermaid's default background, the labels of arrows have too little contrast.
  dark: { theme: 'dark', themeVariables: { edgeLabelBackground: '#333' } },
};

/** The source of each diagram. Mermaid replaces the source in the page by the drawn diagram. */
const sources = new WeakMap();

/**
 * Draws the page's diagrams. The theme calls it again when the reader changes between light and
 * dark.
 */
const draw = async (isDark) => {
  await nextTick();
  const nodes = [...document.querySelectorAll('pre.mermaid')];
  if (nodes.length === 0) return;
  loading ??= load();
  await loading;
  for (const node of nodes) {
    if (!sources.has(node)) sources.set(node, node.textContent);
    node.textContent = sources.get(node);
    node.removeAttribute('data-processed');
  }
  const theme = THEMES[isDark ? 'dark' : 'light'];
  window.mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', ...theme });
  await window.mermaid.run({ nodes });
};

let drawn = Promise.resolve();

/**
 * Waits for the previous drawing to end, because Mermaid cannot draw one diagram twice
 * concurrently.
 */
const redraw = (isDark) => {
  drawn = drawn.then(() => draw(isDark));
  return drawn;
};

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'home-hero-image': () => h(OrderHistory) }),
  setup() {
    const route = useRoute();
    const { isDark } = useData();
    onMounted(() => redraw(isDark.value));
    watch([() => route.path, isDark], () => (inBrowser ? redraw(isDark.value) : undefined));
  },
};
