// Clients of a fault run in a process of their own: what they are to do comes as an argument, when to calm down or stop
// over the channel to the process that started it.
import { HistoryWriter } from './history-writer.mjs';
import { followFeed } from './follow-feed.mjs';
import { readMessages } from './read-messages.mjs';
import { SeededRandom } from './seeded-random.mjs';
import { sendMessages } from './send-messages.mjs';

const roles = { sender: sendMessages, reader: readMessages, follower: followFeed };

const { configs, seed, isCalm } = JSON.parse(process.argv[2]);
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
if (isCalm) control.calm();
await Promise.all(
  configs.map((config) =>
    roles[config.role]({
      config,
      control,
      random: new SeededRandom(seed, config.name),
      history: new HistoryWriter(config.history, config.name),
      news: () => process.send?.('news'),
    }),
  ),
);
process.exit(0);
