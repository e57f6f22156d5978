/** A program connected under a name, or left: what hubs tell each other. */
export interface ProgramNews {
  id: string;
  likeness: string;
  startedAt: number;
  isConnected: boolean;
}
