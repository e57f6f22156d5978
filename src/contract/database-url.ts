// Database URLs: validation, and display without the password.

export const databaseUrlForm = 'a URL like postgres://user:password@host:5432/name';

export function isDatabaseUrl(value: string): boolean {
  return /^postgres(ql)?:\/\//.test(value) && URL.canParse(value);
}

/** Also for invalid URLs, because a mistyped URL still contains the password. */
export function withoutPassword(value: string): string {
  return value
    .replace(/^((?:[a-z][\w+.-]*:\/*)?[^:@/]*:)[^]*@/i, '$1***@')
    .replaceAll(/(password\s*=\s*)('[^']*'|[^&\s]*)/gi, '$1***');
}
