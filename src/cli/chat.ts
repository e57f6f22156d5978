// coterie chat: a thread live, with a line to type on. Messages that were shown count as read.
import { HubError, toHubError } from '../contract/errors.js';
import { systemAgentId } from '../contract/ids.js';
import type { Message } from '../contract/message.js';
import { plainPostWarning } from '../contract/text/render-sent.js';
import type { ThreadView } from '../contract/thread.js';
import type { Flag } from './arguments/flag.js';
import { asFlag, dataFlag, readHubChoice, sessionFlag, urlFlag, type HubChoice } from './arguments/hub-flags.js';
import { keyFileFlag } from './arguments/key-choice.js';
import { isPiped } from './arguments/read-stdin.js';
import { readArgs } from './arguments/read-args.js';
import { enterThread, unreadAndLast } from './chat/enter-thread.js';
import { followThread } from './chat/follow-thread.js';
import { ReadMarker } from './chat/mark-read.js';
import { postLine } from './chat/post-line.js';
import { ShownPosition } from './chat/shown-position.js';
import type { Command, Description } from './command.js';
import { ownName } from './hub/own-name.js';
import { exitCodes } from './show/exit-code.js';
import { messageLine, whoColumns } from './show/message-text.js';
import { paint, paintError } from './show/paint.js';
import { printLines, printNotice } from './show/print.js';
import { oneLine, printable } from './show/printable.js';
import { openPromptLine, type PromptLine } from './show/prompt-line.js';
import { widthOf } from './show/text-width.js';
import { threadHeading } from './thread/show.js';
import { threadIdOf } from './thread/thread-id.js';

const historyDefault = 20;

const flags: readonly Flag[] = [
  {
    name: 'limit',
    value: 'N',
    help: `earlier messages to show (${historyDefault}); unread ones are shown too`,
    allowed: '0 to 200',
    read: (value) => (/^\d{1,3}$/.test(value) && Number(value) <= 200 ? value : undefined),
  },
  asFlag,
  sessionFlag,
  urlFlag,
  dataFlag,
  keyFileFlag,
];

const description: Description = {
  usage: 'THREAD [options]',
  about: [
    'Shows a thread live; each line you type is posted. @name wakes a member. You',
    'join the thread if you are not in it. Messages that were shown count as read.',
    'Ctrl-D ends it. Lines from a pipe are posted one by one, then the command ends.',
  ],
  flags,
  examples: [
    { line: 'coterie chat t463814920757 --as ann', does: 'see the ids with: coterie threads' },
    { line: 'make test 2>&1 | tail -3 | coterie chat t463814920757 --as ci', does: 'each line is a message' },
  ],
};

export const chat: Command = {
  describe: () => description,
  async run(argv) {
    const { own, positionals } = readArgs(argv, { command: 'chat', flags, positionals: ['thread'] });
    const id = threadIdOf('chat', positionals[0]);
    const given = readHubChoice(own);
    const agent = await ownName(given);
    if (agent === undefined) {
      throw new HubError('IDENTITY_REQUIRED', 'chat needs your name.', {
        hint: 'Name yourself with --as NAME, or set COTERIE_AGENT.',
      });
    }
    const choice = { ...given, agent };
    const thread = await enterThread(choice, id);
    await printLines([...threadHeading(thread), '']);
    if (!isPiped())
      printNotice(paintError('dim', 'Type a line and press Enter to post it. @name wakes a member. Ctrl-D ends.'));
    return new Chat(choice, thread).run(Number(own.get('limit') ?? historyDefault));
  },
};

/** Wide enough for most members, so that columns rarely shift. */
const whoColumnsStart = 14;

/** "You have been added" is for the one it says it to. */
function isNoticeToAnother(message: Message, me: string): boolean {
  return message.sender === systemAgentId && typeof message['target'] === 'string' && message['target'] !== me;
}

class Chat {
  readonly #choice: HubChoice & { agent: string };
  readonly #threadId: string;
  #columns: number;
  readonly #prompt: PromptLine;
  readonly #position = new ShownPosition();
  readonly #over = new AbortController();

  constructor(choice: HubChoice & { agent: string }, { threadId, participants }: ThreadView) {
    this.#choice = choice;
    this.#threadId = threadId;
    this.#columns = Math.min(whoColumnsStart, Math.max(...participants.map(widthOf)));
    this.#prompt = openPromptLine(`${choice.agent}> `);
  }

  /** Resolves with the exit code. */
  async run(historyCount: number): Promise<number> {
    const showing = this.#show(historyCount);
    const interrupted = new Promise<number>((resolve) => {
      this.#prompt.interrupted.addEventListener('abort', () => resolve(exitCodes.interrupted));
    });
    try {
      return await Promise.race([showing, this.#post(), interrupted]);
    } finally {
      this.#over.abort();
      this.#prompt.close();
      await showing.catch(() => {});
    }
  }

  async #show(historyCount: number): Promise<number> {
    const [choice, threadId] = [this.#choice, this.#threadId];
    const marker = new ReadMarker(choice, threadId);
    let wasLost = false;
    const messages = followThread({
      choice,
      threadId,
      signal: this.#over.signal,
      readHistory: () => unreadAndLast(choice, threadId, historyCount),
      onOpen: () => {
        if (wasLost) void this.#remark('Reconnected.');
      },
      onLost: () => {
        if (this.#over.signal.aborted) return;
        wasLost = true;
        void this.#remark('Connection to the hub lost. Reconnecting.');
      },
    });
    for await (const message of messages) {
      if (!isNoticeToAnother(message, choice.agent)) await this.#print(message);
      this.#position.moveTo(message.seq);
      marker.shown(message);
    }
    return exitCodes.done;
  }

  async #print(message: Message): Promise<void> {
    this.#columns = Math.max(this.#columns, whoColumns([message], 'one'));
    await this.#prompt.printAbove(messageLine(message, { columns: this.#columns, threads: 'one' }));
  }

  /** Ends when the input has ended and everything posted has been shown. */
  async #post(): Promise<number> {
    const { lines } = this.#prompt;
    let posted = 0;
    for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
      if (line.value.trim() !== '') posted = (await this.#postOne(line.value)) ?? posted;
    }
    await this.#position.reached(posted);
    return exitCodes.done;
  }

  /** The seq of the message, or undefined if it was refused and a person was told. */
  async #postOne(text: string): Promise<number | undefined> {
    try {
      const sent = await postLine(this.#choice, this.#threadId, { text, signal: this.#over.signal });
      // Said once, above the first line; in a conversation most posts are plain.
      const notes = sent.warnings.filter((warning) => warning !== plainPostWarning);
      for (const note of notes) await this.#remark(`Note: ${oneLine(note)}`);
      return sent.seq;
    } catch (thrown) {
      if (isPiped()) throw thrown;
      const { code, message, hint } = toHubError(thrown);
      const notSent = `Not sent: ${printable(text)}`;
      if (this.#over.signal.aborted) printNotice(notSent);
      else
        await this.#prompt.notice(`${paint('red', `${code}:`)} ${printable(message)}\n${printable(hint)}\n${notSent}`);
      return undefined;
    }
  }

  async #remark(text: string): Promise<void> {
    await this.#prompt.notice(paint('dim', text)).catch(() => {});
  }
}
