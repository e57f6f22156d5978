// Whom a push service may write to if this hub misbehaves. Services require it.

/** Apple refuses it. */
const nobody = 'mailto:coterie@localhost';

export function contactOf({
  pushContact,
  publicUrl,
}: {
  pushContact: string | null;
  publicUrl: string | null;
}): string {
  if (pushContact !== null) return pushContact;
  return publicUrl !== null && publicUrl.startsWith('https:') ? publicUrl : nobody;
}

export function isContactRefusedByApple(contact: string): boolean {
  return /localhost|\.local\b|127\.0\.0\.1|\[::1\]/i.test(contact);
}
