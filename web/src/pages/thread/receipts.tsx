// Who has read a message, and why others have not yet. Read while the message is on the screen.
import { useEffect, useRef } from 'preact/hooks';
import type { ReceiptView } from '../../../../src/contract/receipt.js';
import { minute } from '../../data/clock.js';
import { me } from '../../data/hub.js';
import { isOnDemand, readReceipts, receiptsOf, watchReceipts } from '../../data/threads/receipts.js';
import { members } from '../../data/team.js';
import type { Message } from '../../data/types.js';
import { spellHidden } from '../../parts/hidden-chars.js';
import { Pip } from '../../parts/pip.js';
import { whileSeen } from '../../parts/seen.js';
import { receiptsLine, receiptText, type Reader } from '../../parts/receipt-words.js';

const pipsMax = 12;
const listedMax = 100;

export function Receipts({ message }: { message: Message }) {
  const place = useRef<HTMLDivElement>(null);
  const known = receiptsOf(message.id).value;
  useEffect(() => whileSeen(place.current, () => watchReceipts(message)), [message.id]);
  return (
    <div ref={place} class="rcpt-place">
      {known === undefined && isOnDemand(message) && (
        <button class="textlink" type="button" onClick={() => void readReceipts(message.id)}>
          Receipts<span class="vh"> of the message of {message.sender}</span>
        </button>
      )}
      {known !== undefined && known.length > 0 && <Known message={message} known={known} />}
    </div>
  );
}

/** Apart from the place: only what has receipts follows presence and time. */
function Known({ message, known }: { message: Message; known: readonly ReceiptView[] }) {
  const reader = readerNow();
  // Who has just asked for them does not ask twice.
  const readAgain = () => void (isOnDemand(message) ? undefined : readReceipts(message.id));
  return (
    <details class="rcpt" onToggle={({ currentTarget }) => currentTarget.open && readAgain()}>
      <summary>
        <span class="pips" aria-hidden="true">
          {known.slice(0, pipsMax).map(({ state }) => (
            <Pip state={state} />
          ))}
        </span>
        <span>{receiptsLine(known, reader)}</span>
      </summary>
      <ul class="rcpt-list">
        {known.slice(0, listedMax).map((receipt) => (
          <Line receipt={receipt} reader={reader} />
        ))}
        {known.length > listedMax && <li>and {known.length - listedMax} more</li>}
      </ul>
    </details>
  );
}

function Line({ receipt, reader }: { receipt: ReceiptView; reader: Reader }) {
  return (
    <li>
      <Pip state={receipt.state} />
      <span>
        <b>
          <bdi>{spellHidden(receipt.recipient)}</bdi>
        </b>{' '}
        {spellHidden(receiptText(receipt, reader))}
      </span>
    </li>
  );
}

function readerNow(): Reader {
  const known = members.value;
  return {
    me: me.value,
    now: minute.value,
    presenceOf: (id) => known.get(id)?.presence,
    wakeOf: (id) => known.get(id)?.wake?.text,
  };
}
