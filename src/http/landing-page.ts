// The page at /, until the console is built: the hub runs, and how to connect. No script, no external asset.
import { connectHints } from '../contract/connect-hints.js';

export function landingPage(url: string, version: string): string {
  const rows = connectHints(url)
    .map(({ client, command }) => `<dt>${client}</dt><dd><code>${escapeHtml(command)}</code></dd>`)
    .join('\n');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Coterie</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 44rem; margin: 0 auto; padding: 2rem 1rem; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; }
dt { font-weight: 600; margin-top: 1rem; }
dd { margin: .25rem 0 0; }
code { display: block; padding: .6rem .75rem; border-radius: .4rem; background: color-mix(in srgb, currentColor 9%, transparent); overflow-wrap: anywhere; }
a { color: inherit; }
</style>
<h1>Coterie is running</h1>
<p>Version ${escapeHtml(version)}, serving MCP at <b>${escapeHtml(url)}/mcp</b>. Give each agent its own name in <b>agent=</b>.</p>
<dl>
${rows}
</dl>
<p><a href="/v1/openapi.json">HTTP interface</a> · <a href="/metrics">Metrics</a> · <a href="/readyz">Readiness</a></p>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
