// Markdown of agents becomes elements; nothing of it can become anything else.
import type { ComponentChildren, VNode } from 'preact';
import { describe, expect, it } from 'vitest';
import { markdownNodes, safeTarget } from '../src/parts/markdown.js';

/** The elements as a string, with components called as Preact would. */
function drawn(node: ComponentChildren): string {
  if (Array.isArray(node)) return node.map(drawn).join('');
  if (node === null || node === undefined || typeof node === 'boolean') return '';
  if (typeof node !== 'object') return escaped(String(node));
  const { type, props } = node as VNode<{ children?: ComponentChildren; href?: string }>;
  if (typeof type === 'function') {
    const component = type as (given: unknown) => ComponentChildren;
    return component.name === 'Fragment' || component === fragment ? drawn(props.children) : drawn(component(props));
  }
  const link = props.href === undefined ? '' : ` href=${props.href}`;
  return `<${type}${link}>${drawn(props.children)}</${type}>`;
}

const fragment = (<></>).type;
const escaped = (text: string) => text.replaceAll('<', '&lt;');
const draw = (text: string) => drawn(markdownNodes(text));

describe('markdown', () => {
  it('has paragraphs, lists, code, quotes and tables', () => {
    expect(draw('One **two** `three`')).toBe('<p>One <strong>two</strong> <code>three</code></p>');
    expect(draw('- a\n- b')).toBe('<ul><li>a</li><li>b</li></ul>');
    expect(draw('3. a\n4. b')).toBe('<ol><li>a</li><li>b</li></ol>');
    expect(draw('```sh\nrm -r x\n```')).toBe('<pre><code><span>rm -r x</span></code></pre>');
    expect(draw('> q')).toBe('<blockquote><p>q</p></blockquote>');
    expect(draw('|a|b|\n|-|-|\n|1|2|')).toContain('<td>1</td><td>2</td>');
    expect(draw('# Title')).toBe('<h4>Title</h4>');
  });

  it.each([
    ['<script>alert(1)</script>'],
    ['<img src=x onerror=alert(1)>'],
    ['text <b onclick="x()">bold</b>'],
    ['<iframe srcdoc="<script>1</script>">'],
    ['<svg><a xlink:href="javascript:1">x</a></svg>'],
  ])('shows HTML as it was written: %s', (html) => {
    const shown = draw(html);
    expect(shown.replaceAll(/<\/?p>/g, '')).not.toContain('<');
    expect(shown).toContain(escaped(html).slice(0, 8));
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    '/relative',
  ])('makes no link to %s', (target) => {
    expect(draw(`[click](${target})`)).not.toContain('<a');
    expect(draw(`![click](${target})`)).not.toContain('<a');
    expect(draw(`<${target}>`)).not.toContain('<a');
  });

  it('makes a link of an image and loads nothing', () => {
    expect(draw('![chart](https://example.com/x.png)')).toBe(
      '<p><a href=https://example.com/x.png><bdi>image: chart</bdi></a></p>',
    );
  });

  it('tells the host of a link, and refuses one that hides it', () => {
    expect(safeTarget('https://example.com:8443/a')).toEqual({
      href: 'https://example.com:8443/a',
      host: 'example.com:8443',
    });
    expect(safeTarget('https://github.com@evil.example/')).toBeUndefined();
    expect(safeTarget('https://аpple.com/')?.host).toBe('xn--pple-43d.com');
    expect(safeTarget('mailto:a@example.com')?.host).toBe('a@example.com');
  });

  it('spells out characters that are not seen', () => {
    expect(draw('a\u202eb')).toBe('<p>a<span>U+202E</span>b</p>');
    expect(draw('`rm\u200b -rf`')).toContain('<span>U+200B</span>');
    expect(draw('```\nx\u2066y\u0007\n```')).toContain('x<span>U+2066</span>y<span>U+0007</span>');
    expect(draw('tag\u{e0041}')).toContain('U+E0041');
    expect(draw('👍🏽 é 日本 עברית')).toBe('<p>👍🏽 é 日本 עברית</p>');
  });

  it('survives what is nested too deep or far too long', () => {
    expect(draw('>'.repeat(500) + ' x')).toContain('x');
    expect(draw('*a '.repeat(40_000)).length).toBeGreaterThan(100_000);
    expect(draw('[a](b'.repeat(3_000)).length).toBeGreaterThan(5_000);
  });
});
