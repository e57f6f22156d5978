// An error in message content, with its path.

export type FaultPath = readonly (string | number)[];

export class ContentFault extends Error {
  readonly path: FaultPath;
  readonly isTooLarge: boolean;

  constructor(path: FaultPath, problem: string, isTooLarge = false) {
    super(problem);
    this.path = path;
    this.isTooLarge = isTooLarge;
  }
}
