// What was just made, and is shown here and nowhere else, until the page is left.
import { Copy } from '../../parts/copy.js';
import { State } from '../../parts/state.js';

export function Secret({ what, text }: { what: 'key' | 'link'; text: string }) {
  return (
    <>
      <State tone="good" icon="success" title={`This is the ${what}. It is not shown again.`} />
      <Copy label={`the ${what}`} text={text} />
    </>
  );
}
