/**
 * Renders a Mermaid code block as an HTML element that contains the diagram's source. The site's
 * theme draws the diagram in the browser.
 * @param {import('vitepress').MarkdownRenderer} md
 */
export const drawDiagrams = (md) => {
  const { fence } = md.renderer.rules;
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const { info, content } = tokens[index];
    if (info.trim() === 'mermaid') {
      return `<pre class="mermaid" tabindex="0" v-pre>${md.utils.escapeHtml(content)}</pre>\n`;
    }
    return fence?.(tokens, index, options, env, self) ?? '';
  };
};
