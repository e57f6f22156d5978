// Markdown of agents: tokens become elements, never HTML. Text stays text, images become links, links show their host.
import { lexer, type Token, type Tokens } from 'marked';
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

/** A line of it, such as a question: code, emphasis and links, no blocks. */
export function InlineMarkdown({ text }: { text: string }) {
  const [first, ...others] = parse(text);
  if (others.length === 0 && first?.type === 'paragraph') return <>{inline((first as Tokens.Paragraph).tokens, 0)}</>;
  return <>{spellHidden(text)}</>;
}

export function markdownNodes(text: string): ComponentChildren[] {
  return blocks(parse(text), 0);
}

function parse(text: string): Token[] {
  if (text.length > parsedCharsMax) return [{ type: 'text', raw: text, text }];
  try {
    return lexer(text, { gfm: true, breaks: true });
  } catch {
    return [{ type: 'text', raw: text, text }];
  }
}

// marked's Token is a union with a member of any type: each case names the type that its `type` stands for.
function blocks(tokens: readonly Token[], depth: number): ComponentChildren[] {
  return tokens.flatMap((token) => block(token, depth));
}

function block(token: Token, depth: number): ComponentChildren[] {
  if (depth > depthMax) return [<p>{spellHidden(token.raw)}</p>];
  switch (token.type) {
    case 'space':
    case 'def':
      return [];
    case 'heading':
      return [<h4>{inline((token as Tokens.Heading).tokens, depth)}</h4>];
    case 'paragraph':
      return [<p>{inline((token as Tokens.Paragraph).tokens, depth)}</p>];
    case 'code':
      return [<Code text={(token as Tokens.Code).text} />];
    case 'blockquote':
      return [<blockquote>{blocks((token as Tokens.Blockquote).tokens, depth + 1)}</blockquote>];
    case 'list':
      return [list(token as Tokens.List, depth)];
    case 'table':
      return [table(token as Tokens.Table, depth)];
    case 'hr':
      return [<hr />];
    case 'text': {
      const { tokens, text } = token as Tokens.Text;
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
      {item.tokens.flatMap((token) =>
        token.type === 'text' ? tight(token as Tokens.Text, depth) : block(token, depth + 1),
      )}
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
  return (tokens ?? []).flatMap((token) => inlineOne(token, depth + 1));
}

function inlineOne(token: Token, depth: number): ComponentChildren[] {
  if (depth > depthMax) return spellHidden(token.raw);
  switch (token.type) {
    case 'strong':
      return [<strong>{inline((token as Tokens.Strong).tokens, depth)}</strong>];
    case 'em':
      return [<em>{inline((token as Tokens.Em).tokens, depth)}</em>];
    case 'del':
      return [<del>{inline((token as Tokens.Del).tokens, depth)}</del>];
    case 'codespan':
      return [
        <code dir="ltr" translate={false}>
          {spellHidden((token as Tokens.Codespan).text)}
        </code>,
      ];
    case 'br':
      return [<br />];
    case 'link': {
      const { href, tokens } = token as Tokens.Link;
      return [
        <Link href={href} raw={token.raw}>
          {inline(tokens, depth)}
        </Link>,
      ];
    }
    case 'image': {
      const { href, text } = token as Tokens.Image;
      return [
        <Link href={href} raw={token.raw}>
          {spellHidden(text === '' ? 'image' : `image: ${text}`)}
        </Link>,
      ];
    }
    case 'escape':
      return spellHidden((token as Tokens.Escape).text);
    case 'text': {
      const { tokens, text } = token as Tokens.Text;
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
