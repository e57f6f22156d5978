// Everything that opens and seals, as one part of the app that is loaded when something sealed comes.
export { openAnswer, openSignal } from './open-signal.js';
export { acceptSender } from './pins.js';
export { fetchReaders, seenReaders } from './readers.js';
export { sealAnswer } from './seal-answer.js';
export { shareSignals } from './share.js';
