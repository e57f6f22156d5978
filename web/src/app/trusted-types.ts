// The one policy for trusted types: a script may come from the service worker's address and from nowhere else. No policy
// makes HTML, so no text can become markup in this app.
interface TrustedTypes {
  createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => unknown;
}

export function restrictScripts(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy('default', {
    createScriptURL: (url) => {
      if (url === '/sw.js') return url;
      throw new TypeError('Not a script of this app.');
    },
  });
}
