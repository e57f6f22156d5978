// Progress reports of a waiting call, for clients that asked for them: without any, clients give up after 60 s.

/** Well below the shortest idle timeout seen in clients. */
export const progressEveryMs = 15_000;

/** The returned function ends the reports. */
export function reportProgress(
  clock: { after(delayMs: number, callback: () => void): () => void },
  progress: ((text: string) => void) | undefined,
  textNow: () => string,
): () => void {
  if (progress === undefined) return () => {};
  let stop: () => void;
  const again = () => {
    progress(textNow());
    stop = clock.after(progressEveryMs, again);
  };
  stop = clock.after(progressEveryMs, again);
  return () => stop();
}
