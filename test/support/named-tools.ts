// Which tools a text of the hub names that its reader cannot see, without saying how to see them.
import { operationList } from '../../dist/contract/operations/index.js';

const listed = new Set(operationList.filter(({ inDefaultProfile }) => inDefaultProfile).map(({ name }) => name));
const all = new Set(operationList.map(({ name }) => name));

/** Of the tools in the default profile; `called` is the tool whose answer this is. */
export function unexplainedTools(text: string, called: string): string[] {
  const named = new Set(text.match(/[a-z]+(?:_[a-z]+)+/g));
  const hidden = [...named].filter((name) => name !== called && all.has(name) && !listed.has(name));
  const explained = /\(([a-z_, ]+) (?:is|are) not in your tool list, but can be called\. [^)]*tools[ =]all[^)]*\)/g;
  const told = [...text.matchAll(explained)].flatMap(([, names = '']) => names.split(', '));
  return hidden.filter((name) => !told.includes(name));
}
