// How long this process was at work, so that other processes of a busy machine do not count.

/** Of the processor, in milliseconds. */
export function processorMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1_000;
}
