// A picture of a message, from the hub's own store. Small ones are fetched when they come into view, large ones when asked for.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { MediaSource } from '../../../../src/contract/content-block.js';
import { isShownImage, readImage } from '../../data/media.js';
import { spellHidden } from '../../parts/hidden-chars.js';
import { sizeWords } from '../../parts/words/size-words.js';

type Stored = Exclude<MediaSource, { type: 'url' }>;

const atOnceBytes = 1024 * 1024;

export function Picture({ messageId, kind, source }: { messageId: string; kind: string; source: Stored }) {
  const frame = useRef<HTMLElement>(null);
  const [address, setAddress] = useState<string | undefined>(undefined);
  const [isFailed, setFailed] = useState(false);
  const bytes = bytesOf(source);
  const isShown = kind === 'image' && isShownImage(source.mediaType);
  const load = () => {
    setFailed(false);
    readImage(messageId, source).then(setAddress, () => setFailed(true));
  };
  useEffect(() => {
    const { current } = frame;
    if (!isShown || bytes > atOnceBytes || current === null) return undefined;
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      seen.disconnect();
      load();
    });
    seen.observe(current);
    return () => seen.disconnect();
  }, [messageId]);
  return (
    <figure class="fig" ref={frame}>
      {address !== undefined && <img src={address} alt="" decoding="async" />}
      {address === undefined && isShown && bytes > atOnceBytes && !isFailed && (
        <button class="btn" type="button" onClick={load}>
          Show the picture
        </button>
      )}
      {isFailed && (
        <button class="btn" type="button" onClick={load}>
          Not loaded. Try again
        </button>
      )}
      <figcaption>
        {kind} · {spellHidden(source.mediaType)} · {sizeWords(bytes)}
      </figcaption>
    </figure>
  );
}

function bytesOf(source: Stored): number {
  return source.type === 'base64' ? Math.floor((source.data.length * 3) / 4) : source.bytes;
}
