import { inBrowser, useRoute } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { nextTick, onMounted, watch } from 'vue';

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

const draw = async () => {
  await nextTick();
  const nodes = [...document.querySelectorAll('pre.mermaid:not([data-processed])')];
  if (nodes.length === 0) return;
  loading ??= load();
  await loading;
  const theme = document.documentElement.classList.contains('dark') ? 'dark' : 'neutral';
  window.mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', theme });
  await window.mermaid.run({ nodes });
};

export default {
  extends: DefaultTheme,
  setup() {
    const route = useRoute();
    onMounted(draw);
    watch(
      () => route.path,
      () => (inBrowser ? draw() : undefined),
    );
  },
};
