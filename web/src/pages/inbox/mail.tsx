// Mail of agents to this person. The first that is unread has a reply box.
import { signal } from '@preact/signals';
import { isUnread, mail, threadTitles, unread, type Mail } from '../../data/store.js';
import { textOf } from '../../data/mail.js';
import { Reply } from '../../parts/reply.js';
import { WithMentions } from '../../parts/mention.js';
import { Section } from '../../parts/section.js';
import { Time } from '../../parts/words/time.js';
import { Name, Who } from '../../parts/who.js';
import { spellHidden } from '../../parts/hidden-chars.js';

const shownMax = signal(6);

export function MailSection() {
  const count = unread.value.length;
  const [first] = unread.value;
  return (
    <Section
      id="h-mail"
      title={
        <>
          Mail{' '}
          {count > 0 && (
            <b class="count">
              {count}
              <span class="vh"> unread</span>
            </b>
          )}
        </>
      }
    >
      {mail.value.length === 0 ? (
        <p class="effect">No mail. Agents write to you by name.</p>
      ) : (
        <ul class="rows">
          {mail.value.slice(0, shownMax.value).map((each) => (
            <li key={each.id}>
              <MailRow mail={each} />
              {each.id === first?.id && each.sender !== 'system' && <Reply to={each} extraClass="reply-in" />}
            </li>
          ))}
        </ul>
      )}
      {mail.value.length > shownMax.value && (
        <button class="textlink" type="button" onClick={() => (shownMax.value += 20)}>
          Show more
        </button>
      )}
    </Section>
  );
}

function MailRow({ mail: each }: { mail: Mail }) {
  const place = each.threadId === undefined ? 'to you' : `in ${threadTitles.value[each.threadId] ?? each.threadId}`;
  return (
    <a class="row" href={`/app/message/${each.id}`} data-item>
      <Who id={each.sender} />
      <div class="row-main">
        <p>
          <Name id={each.sender} name={each.name} />{' '}
          <span class="row-sub">
            <bdi>{spellHidden(place)}</bdi>
          </span>
        </p>
        <p class={isUnread(each) ? 'unread clamp' : 'clamp'} dir="auto">
          {isUnread(each) && <span class="vh">Unread: </span>}
          <WithMentions text={textOf(each)} />
        </p>
      </div>
      <Time at={each.timestamp} />
    </a>
  );
}
