// An argument in a command line that a person copies, or that a client gives to a shell: quoted where a shell would read it
// as anything else than this text, as in macOS's `Application Support`.

/** Undefined in browsers, where it is shown as for POSIX shells. */
const node: { process?: { readonly platform: string } } = globalThis;

export function shellArgument(text: string, platform = node.process?.platform): string {
  if (/^[\w@%+=:,./-]+$/.test(text) && !(platform === 'win32' && text.includes('%'))) return text;
  if (platform === 'win32') return `"${text}${backslashesAtEnd(text)}"`;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Doubled, they do not escape the quote after them. */
function backslashesAtEnd(text: string): string {
  let start = text.length;
  while (text[start - 1] === '\\') start -= 1;
  return text.slice(start);
}
