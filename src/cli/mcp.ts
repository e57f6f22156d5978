export async function runMcp(_argv: readonly string[]): Promise<void> {}
