// Markdown of agents: tokens become elements, never HTML. Text stays text, images become links, links show their host.
import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import type { ComponentChildren, VNode } from 'preact';
import { Code } from './code.js';
import { spellHidden } from './hidden-chars.js';

/** Longer texts are shown as they are: the parser's time grows with the square of some, and the page stands still. */
const parsedCharsMax = 10_000;
/** Nested deeper than any writer means it. */
const depthMax = 12;

/** How plain text inside it is shown. */
export type Leaf = (text: string) => ComponentChildren[];

export function Markdown({ text, leaf = spellHidden }: { text: string; leaf?: Leaf }) {
  return (
    <div class="md" dir="auto">
      {markdownNodes(text, leaf)}
    </div>
  );
}

/** Where in the text a token is. */
interface Place {
  depth: number;
  leaf: Leaf;
}

function inside({ depth, leaf }: Place): Place {
  return { depth: depth + 1, leaf };
}

const top: Place = { depth: 0, leaf: spellHidden };

/** A line of it, such as a question: code and emphasis. Links are shown as they were written: the line may be one itself. */
export function InlineMarkdown({ text }: { text: string }) {
  const [first, ...others] = parse(text);
  if (others.length > 0 || first?.type !== 'paragraph') return <>{spellHidden(text)}</>;
  return (
    <>{first.tokens.map(known).flatMap((token) => (isLink(token) ? spellHidden(token.raw) : inlineOne(token, top)))}</>
  );
}

/** It, or what is inside it. */
function isLink(token: MarkedToken): boolean {
  if (token.type === 'link' || token.type === 'image') return true;
  return 'tokens' in token && token.tokens !== undefined && token.tokens.map(known).some(isLink);
}

export function markdownNodes(text: string, leaf: Leaf = spellHidden): ComponentChildren[] {
  return blocks(parse(text), { depth: 0, leaf });
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

function blocks(tokens: readonly Token[], place: Place): ComponentChildren[] {
  return tokens.flatMap((token) => block(known(token), place));
}

function block(token: MarkedToken, place: Place): ComponentChildren[] {
  if (place.depth > depthMax) return [<p>{spellHidden(token.raw)}</p>];
  switch (token.type) {
    case 'space':
    case 'def':
      return [];
    case 'heading':
      return [<h4>{inline(token.tokens, place)}</h4>];
    case 'paragraph':
      return [<p>{inline(token.tokens, place)}</p>];
    case 'code':
      return [<Code text={token.text} />];
    case 'blockquote':
      return [<blockquote>{blocks(token.tokens, inside(place))}</blockquote>];
    case 'list':
      return [list(token, place)];
    case 'table':
      return [table(token, place)];
    case 'hr':
      return [<hr />];
    case 'text': {
      const { tokens, text } = token;
      return [<p>{tokens === undefined ? place.leaf(text) : inline(tokens, place)}</p>];
    }
    // HTML, and whatever else there is: as it was written.
    default:
      return [<p>{spellHidden(token.raw)}</p>];
  }
}

function list({ ordered, start, items }: Tokens.List, place: Place): VNode {
  const rows = items.map((item) => (
    <li>
      {item.task && (item.checked === true ? '☑ ' : '☐ ')}
      {item.tokens
        .map(known)
        .flatMap((token) => (token.type === 'text' ? tight(token, place) : block(token, inside(place))))}
    </li>
  ));
  return ordered ? <ol start={start === '' ? 1 : start}>{rows}</ol> : <ul>{rows}</ul>;
}

function tight({ tokens, text }: Tokens.Text, place: Place): ComponentChildren[] {
  return tokens === undefined ? place.leaf(text) : inline(tokens, place);
}

function table({ header, rows }: Tokens.Table, place: Place): VNode {
  return (
    <table class="md-table">
      <thead>
        <tr>
          {header.map((cell) => (
            <th>{inline(cell.tokens, place)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {row.map((cell) => (
              <td>{inline(cell.tokens, place)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function inline(tokens: readonly Token[] | undefined, place: Place): ComponentChildren[] {
  return (tokens ?? []).flatMap((token) => inlineOne(known(token), inside(place)));
}

function inlineOne(token: MarkedToken, place: Place): ComponentChildren[] {
  if (place.depth > depthMax) return spellHidden(token.raw);
  switch (token.type) {
    case 'strong':
      return [<strong>{inline(token.tokens, place)}</strong>];
    case 'em':
      return [<em>{inline(token.tokens, place)}</em>];
    case 'del':
      return [<del>{inline(token.tokens, place)}</del>];
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
          {inline(tokens, place)}
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
      return tokens === undefined ? place.leaf(text) : inline(tokens, place);
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
