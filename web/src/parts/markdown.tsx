// Markdown of agents: tokens become elements, never HTML. Text stays text, images become links, links show their host.
import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import type { ComponentChildren, VNode } from 'preact';
import { Code } from './code.js';
import { spellHidden } from './hidden-chars.js';

/** Longer texts are shown as they are: nothing a person reads in a question is this long. */
const parsedCharsMax = 50_000;
/** Nested deeper than any writer means it. */
const depthMax = 12;

export function Markdown({ text }: { text: string }) {
  return (
    <div class="md" dir="auto">
      {markdownNodes(text)}
    </div>
  );
}

/** A line of it, such as a question: code and emphasis. Links are shown as they were written: the line may be one itself. */
export function InlineMarkdown({ text }: { text: string }) {
  const [first, ...others] = parse(text);
  if (others.length > 0 || first?.type !== 'paragraph') return <>{spellHidden(text)}</>;
  return (
    <>{first.tokens.map(known).flatMap((token) => (isLink(token) ? spellHidden(token.raw) : inlineOne(token, 0)))}</>
  );
}

/** It, or what is inside it. */
function isLink(token: MarkedToken): boolean {
  if (token.type === 'link' || token.type === 'image') return true;
  return 'tokens' in token && token.tokens !== undefined && token.tokens.map(known).some(isLink);
}

export function markdownNodes(text: string): ComponentChildren[] {
  return blocks(parse(text), 0);
}

function parse(text: string): MarkedToken[] {
  const asItIs: MarkedToken[] = [{ type: 'text', raw: text, text }];
  if (text.length > parsedCharsMax) return asItIs;
  try {
    return lexer(text, { gfm: true, breaks: true }).map(known);
  } catch {
    return asItIs;
  }
}

function known(token: Token): MarkedToken {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Other types are those of extensions, and there is none.
  return token as MarkedToken;
}

function blocks(tokens: readonly Token[], depth: number): ComponentChildren[] {
  return tokens.flatMap((token) => block(known(token), depth));
}

function block(token: MarkedToken, depth: number): ComponentChildren[] {
  if (depth > depthMax) return [<p>{spellHidden(token.raw)}</p>];
  switch (token.type) {
    case 'space':
    case 'def':
      return [];
    case 'heading':
      return [<h4>{inline(token.tokens, depth)}</h4>];
    case 'paragraph':
      return [<p>{inline(token.tokens, depth)}</p>];
    case 'code':
      return [<Code text={token.text} />];
    case 'blockquote':
      return [<blockquote>{blocks(token.tokens, depth + 1)}</blockquote>];
    case 'list':
      return [list(token, depth)];
    case 'table':
      return [table(token, depth)];
    case 'hr':
      return [<hr />];
    case 'text': {
      const { tokens, text } = token;
      return [<p>{tokens === undefined ? spellHidden(text) : inline(tokens, depth)}</p>];
    }
    // HTML, and whatever else there is: as it was written.
    default:
      return [<p>{spellHidden(token.raw)}</p>];
  }
}

function list({ ordered, start, items }: Tokens.List, depth: number): VNode {
  const rows = items.map((item) => (
    <li>
      {item.task && (item.checked === true ? '☑ ' : '☐ ')}
      {item.tokens
        .map(known)
        .flatMap((token) => (token.type === 'text' ? tight(token, depth) : block(token, depth + 1)))}
    </li>
  ));
  return ordered ? <ol start={start === '' ? 1 : start}>{rows}</ol> : <ul>{rows}</ul>;
}

function tight({ tokens, text }: Tokens.Text, depth: number): ComponentChildren[] {
  return tokens === undefined ? spellHidden(text) : inline(tokens, depth);
}

function table({ header, rows }: Tokens.Table, depth: number): VNode {
  return (
    <table class="md-table">
      <thead>
        <tr>
          {header.map((cell) => (
            <th>{inline(cell.tokens, depth)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {row.map((cell) => (
              <td>{inline(cell.tokens, depth)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function inline(tokens: readonly Token[] | undefined, depth: number): ComponentChildren[] {
  return (tokens ?? []).flatMap((token) => inlineOne(known(token), depth + 1));
}

function inlineOne(token: MarkedToken, depth: number): ComponentChildren[] {
  if (depth > depthMax) return spellHidden(token.raw);
  switch (token.type) {
    case 'strong':
      return [<strong>{inline(token.tokens, depth)}</strong>];
    case 'em':
      return [<em>{inline(token.tokens, depth)}</em>];
    case 'del':
      return [<del>{inline(token.tokens, depth)}</del>];
    case 'codespan':
      return [
        <code dir="ltr" translate={false}>
          {spellHidden(token.text)}
        </code>,
      ];
    case 'br':
      return [<br />];
    case 'link': {
      const { href, tokens } = token;
      return [
        <Link href={href} raw={token.raw}>
          {inline(tokens, depth)}
        </Link>,
      ];
    }
    case 'image': {
      const { href, text } = token;
      return [
        <Link href={href} raw={token.raw}>
          {spellHidden(text === '' ? 'image' : `image: ${text}`)}
        </Link>,
      ];
    }
    case 'escape':
      return spellHidden(token.text);
    case 'text': {
      const { tokens, text } = token;
      return tokens === undefined ? spellHidden(text) : inline(tokens, depth);
    }
    default:
      return spellHidden(token.raw);
  }
}

function Link({ href, raw, children }: { href: string; raw: string; children: ComponentChildren }) {
  const target = safeTarget(href);
  if (target === undefined) return <>{spellHidden(raw)}</>;
  return (
    <a
      href={target.href}
      data-host={target.host}
      target="_blank"
      rel="noopener noreferrer nofollow"
      referrerpolicy="no-referrer"
    >
      <bdi>{children}</bdi>
    </a>
  );
}

/** Only what leads to a web page or an address for mail, with what the reader is told of it. */
export function safeTarget(href: string): { href: string; host: string } | undefined {
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  if (url.protocol === 'mailto:') return { href: url.href, host: url.pathname };
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  // A name before the host looks like the host.
  if (url.username !== '' || url.password !== '') return undefined;
  return { href: url.href, host: url.host };
}
