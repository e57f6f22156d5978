// The one policy for trusted types: a script may come from the service worker's address and from nowhere else. No policy
// makes HTML, so no text can become markup in this app.
interface TrustedTypes {
  createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => unknown;
}

export function restrictScripts(): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Not in the compiler's library yet, nor in every browser.
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy('default', {
    createScriptURL: (url) => {
      if (url === '/sw.js') return url;
      throw new TypeError('Not a script of this app.');
    },
  });
}
