// The address of a database as people give it, and what of it may be shown: never a password.

export const databaseUrlForm = 'an address like postgres://user:password@host:5432/name';

export function isDatabaseUrl(value: string): boolean {
  return /^postgres(ql)?:\/\//.test(value) && URL.canParse(value);
}

/** Also of what is no address at all: whoever types it wrong has typed the password too. */
export function withoutPassword(value: string): string {
  return value
    .replace(/^((?:[a-z][\w+.-]*:\/*)?[^:@/]*:)[^]*@/i, '$1***@')
    .replaceAll(/(password\s*=\s*)('[^']*'|[^&\s]*)/gi, '$1***');
}
