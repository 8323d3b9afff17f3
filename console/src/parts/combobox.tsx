import { type KeyboardEvent, type ReactNode, useId, useMemo, useRef, useState } from 'react';
import { useSpeech } from '../texts/language-provider.tsx';
import { Icon } from './icon.tsx';

export interface Option {
  readonly id: number;
  readonly label: string;
  /** A flag, where there is one. */
  readonly sign: string | null;
  /** Said of it at the end of its line, such as its stock. */
  readonly note: string;
  /** Other names that find it. */
  readonly also: readonly string[];
}

/** Rows drawn at once: who types on sees the others. */
const MOST_SHOWN = 60;

/** Finds one of many as one types: arrows move, Enter takes, Escape closes, and with nothing typed all are there. */
export function Combobox({
  label,
  anything,
  options,
  chosen,
  onChoose,
}: {
  readonly label: string;
  /** Shown where none is chosen. */
  readonly anything: string;
  readonly options: readonly Option[];
  readonly chosen: Option | null;
  readonly onChoose: (option: Option | null) => void;
}): ReactNode {
  const { t, format } = useSpeech();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const isOpen = typed !== null;
  const found = useMemo(() => (typed === null ? [] : search(options, typed)), [options, typed]);
  const shown = found.slice(0, MOST_SHOWN);
  const at = Math.min(active, shown.length - 1);

  const open = (text: string): void => {
    setTyped(text);
    setActive(0);
  };
  const close = (): void => setTyped(null);
  const choose = (option: Option | null): void => {
    close();
    onChoose(option);
  };
  const move = (to: number): void => {
    setActive(to);
    document.getElementById(`${id}-${shown[to]?.id}`)?.scrollIntoView({ block: 'nearest' });
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const last = shown.length - 1;
    switch (event.key) {
      case 'ArrowDown':
        if (isOpen) move(at >= last ? 0 : at + 1);
        else open('');
        break;
      case 'ArrowUp':
        if (isOpen) move(at <= 0 ? last : at - 1);
        else open('');
        break;
      case 'Enter': {
        const option = shown[at];
        if (!isOpen || option === undefined) return;
        choose(option);
        break;
      }
      case 'Escape':
        if (isOpen) close();
        else if (chosen !== null) onChoose(null);
        else return;
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  const activeOption = isOpen ? shown[at] : undefined;
  return (
    <div className="combobox">
      <label htmlFor={id}>{label}</label>
      <div className="combobox-box">
        <span className="combobox-sign" aria-hidden="true">
          {isOpen ? '' : chosen?.sign}
        </span>
        <input
          ref={input}
          id={id}
          type="text"
          role="combobox"
          autoComplete="off"
          spellCheck={false}
          aria-expanded={shown.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={activeOption && `${id}-${activeOption.id}`}
          placeholder={chosen?.label ?? anything}
          value={typed ?? chosen?.label ?? ''}
          onChange={(event) => open(event.target.value)}
          onClick={() => !isOpen && open('')}
          onKeyDown={onKeyDown}
          onBlur={close}
        />
        {chosen !== null && (
          <button
            type="button"
            className="icon-button"
            aria-label={t.numbers.clear(label)}
            onClick={() => {
              onChoose(null);
              input.current?.focus();
            }}
          >
            <Icon name="clear" />
          </button>
        )}
      </div>
      <div className="combobox-popup" hidden={!isOpen || found.length === 0}>
        <div className="combobox-list" id={`${id}-list`} role="listbox" aria-label={label}>
          {shown.map((option, index) => (
            <div
              key={option.id}
              id={`${id}-${option.id}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              className="option"
              // Before the blur, which closes the list.
              onPointerDown={(event) => {
                event.preventDefault();
                choose(option);
              }}
            >
              {option.sign !== null && <span aria-hidden="true">{option.sign}</span>}
              <span className="option-label">{option.label}</span>
              <span className="option-note">{option.note}</span>
            </div>
          ))}
        </div>
        {found.length > shown.length && (
          <p className="option-more">{t.numbers.moreOptions(format.number(found.length - shown.length))}</p>
        )}
      </div>
      <span className="unseen" role="status">
        {isOpen ? t.numbers.options(found.length, format.number(found.length)) : ''}
      </span>
    </div>
  );
}

/** Those whose name begins so, then those with a later word that does, then those that have it anywhere. */
function search(options: readonly Option[], typed: string): readonly Option[] {
  const wanted = plain(typed);
  if (wanted === '') return options;
  const ranked: Option[][] = [[], [], []];
  for (const option of options) {
    const names = [option.label, ...option.also].map(plain);
    const rank = names.some((name) => name.startsWith(wanted))
      ? 0
      : names.some((name) => name.includes(` ${wanted}`))
        ? 1
        : names.some((name) => name.includes(wanted))
          ? 2
          : null;
    if (rank !== null) ranked[rank]?.push(option);
  }
  return ranked.flat();
}

function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .trim();
}
