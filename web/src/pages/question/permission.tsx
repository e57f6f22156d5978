// The page of a permission prompt, loaded when one is opened.
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Question } from '../../data/store.js';
import { Bones } from '../../parts/bones.js';

type Page = ComponentType<{ question: Question }>;

export function Permission({ question }: { question: Question }) {
  const [Page, set] = useState<Page | undefined>(undefined);
  useEffect(() => {
    void import('../permission.js').then(({ PermissionPage }) => set(() => PermissionPage));
  }, []);
  return Page === undefined ? <Bones label="Loading the tool call" /> : <Page question={question} />;
}
