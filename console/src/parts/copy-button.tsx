import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useSpeech } from '../texts/language-provider.tsx';
import { useAnnounce } from './announcer.tsx';
import { Icon } from './icon.tsx';

const SHOWN_FOR = 2_000;

/** The text itself, as a button that copies it. `what` says what it is to those who do not see it. */
export function CopyButton({
  text,
  what,
  className,
}: {
  readonly text: string;
  readonly what: string;
  readonly className: string;
}): ReactNode {
  const { t } = useSpeech();
  const announce = useAnnounce();
  const shown = useRef<HTMLSpanElement>(null);
  const [state, setState] = useState<'idle' | 'copied' | 'selected'>('idle');

  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [state]);

  const copy = async (): Promise<void> => {
    const isCopied = await writeClipboard(text);
    if (!isCopied && shown.current !== null) getSelection()?.selectAllChildren(shown.current);
    setState(isCopied ? 'copied' : 'selected');
    announce(isCopied ? t.common.copied : t.common.selectToCopy);
  };

  const words = { idle: t.common.copy, copied: t.common.copied, selected: t.common.selectToCopy }[state];
  return (
    <button type="button" className={`copy ${className}`} onClick={() => void copy()}>
      <span className="unseen">{what}: </span>
      <span className="copy-text" ref={shown}>
        {text}
      </span>
      <span className={`copy-word copy-${state}`}>
        <Icon name={state === 'copied' ? 'done' : 'copy'} />
        {words}
      </span>
    </button>
  );
}

/** Browsers have a clipboard for pages from https and from this machine alone. */
async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
