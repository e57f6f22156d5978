// Reads one number from a hub's /metrics.
export async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const row = text.split('\n').find((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
  return Number(row?.split(' ').at(-1) ?? Number.NaN);
}
