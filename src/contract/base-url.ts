// A URL to which paths are added.

/** Without slashes at its end. A loop: the pattern `/+$` would start again at every slash of a long run. */
export function withoutEndSlashes(url: string): string {
  let end = url.length;
  while (end > 0 && url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}
