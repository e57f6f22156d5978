// A path in a command line that a person copies: quoted where it has spaces, as in macOS's `Application Support`.

export function shellArgument(text: string): string {
  return /^[\w@%+=:,./\\~-]+$/.test(text) ? text : `"${text}"`;
}
