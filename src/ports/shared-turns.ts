// The turns that agents take, counted by hubs that share a store: each tells the others of those that are taken at it.

/** One message from one agent to one other, which may answer the other's. */
export interface Turn {
  sessionId: string;
  sender: string;
  other: string;
  at: number;
  seq: number;
}

export interface SharedTurns {
  /** Called when a turn was taken here. */
  onTurn: (turn: Turn) => void;
  /** A turn was taken at another hub. */
  heardTurn: (turn: Turn) => void;
}
