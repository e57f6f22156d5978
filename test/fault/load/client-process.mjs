// One client of a fault run in a process of its own: what it is to do comes as an argument, when to calm down or stop
// over the channel to the process that started it.
import { HistoryWriter } from './history-writer.mjs';
import { followFeed } from './follow-feed.mjs';
import { readMessages } from './read-messages.mjs';
import { SeededRandom } from './seeded-random.mjs';
import { sendMessages } from './send-messages.mjs';

const roles = { sender: sendMessages, reader: readMessages, follower: followFeed };

const config = JSON.parse(process.argv[2]);
const control = {
  isCalm: false,
  isStopped: false,
  /** No more calls given up, no more sends. */
  calm() {
    if (!control.isCalm) process.send?.('calm');
    control.isCalm = true;
  },
};
process.on('message', (phase) => {
  control.calm();
  if (phase === 'stop') control.isStopped = true;
});
// Whoever started it is gone: so is the reason to go on.
process.on('disconnect', () => process.exit(1));

process.send?.('ready');
if (config.isCalm) control.calm();
await roles[config.role]({
  config,
  control,
  random: new SeededRandom(config.seed, config.name),
  history: new HistoryWriter(config.history, { process: config.name, hub: config.url }),
  news: () => process.send?.('news'),
});
process.exit(0);
