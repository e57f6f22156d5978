// The page at /, until the console is built: the hub runs, and how to connect. No script, no external asset.
import { fileURLToPath } from 'node:url';
import { connectHints, connectNotes } from '../contract/connect-hints.js';

const commandFile = fileURLToPath(new URL('../cli/main.js', import.meta.url));

export interface LandingPage {
  /** As this client reaches the hub. */
  url: string;
  version: string;
  hasKeys: boolean;
}

export function landingPage({ url, version, hasKeys }: LandingPage): string {
  // With keys, who reads this may be on another machine, which this machine's paths are of no use to.
  const command = hasKeys ? ['coterie'] : ['node', commandFile];
  const rows = connectHints(url, { command, hubFlags: ['--url', url], hasKeys })
    .map(({ client, file, text }) => {
      const title = file === undefined ? client : `${client}, in ${file}`;
      return `<dt>${escapeHtml(title)}</dt><dd><code>${escapeHtml(text)}</code></dd>`;
    })
    .join('\n');
  const notes = connectNotes(hasKeys)
    .map((note) => `<p>${escapeHtml(note)}</p>`)
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
<p>Version ${escapeHtml(version)}, serving MCP at <b>${escapeHtml(url)}/mcp</b>.</p>
<dl>
${rows}
</dl>
${notes}
<p>${links(hasKeys)}</p>
</html>
`;
}

/** A browser sends no key, so what needs one is not linked. */
function links(hasKeys: boolean): string {
  const open = '<a href="/v1/openapi.json">HTTP interface</a> · <a href="/metrics">Metrics</a> · ';
  return `${hasKeys ? '' : open}<a href="/readyz">Readiness</a>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
