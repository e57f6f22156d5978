// Turns between agents, as the loop guard counts them. Hubs that share a store publish theirs to each other.

/** One message from one agent to one other, possibly an answer to the other's last message. */
export interface Turn {
  sessionId: string;
  sender: string;
  other: string;
  at: number;
  seq: number;
}

export interface SharedTurns {
  /** Called when a turn was taken at this hub. */
  onTurn: (turn: Turn) => void;
  /** Counts a turn that was taken at another hub. */
  receiveTurn: (turn: Turn) => void;
}
