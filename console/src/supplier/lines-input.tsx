import { type DragEvent, type ReactNode, useId, useState } from 'react';
import { Field } from '../parts/field.tsx';
import { useSpeech } from '../texts/language-provider.tsx';

/** Lines by typing, pasting, dropping a file or choosing one. */
export function LinesInput({
  text,
  onChange,
}: {
  readonly text: string;
  readonly onChange: (text: string) => void;
}): ReactNode {
  const { t } = useSpeech();
  const fileId = useId();
  const [isOver, setOver] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const read = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    try {
      const read = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
      setProblem(null);
      onChange(text.trim() === '' ? read : `${text.trimEnd()}\n${read}`);
    } catch {
      setProblem(t.supplier.fileFailed);
    }
  };
  const drop = (event: DragEvent): void => {
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file === undefined) return;
    event.preventDefault();
    void read(file);
  };

  return (
    <div className="lines">
      <Field label={t.supplier.linesLabel} hint={t.supplier.linesHint} error={problem}>
        {(control) => (
          <textarea
            {...control}
            className={`mono ${isOver ? 'lines-over' : ''}`}
            rows={8}
            spellCheck={false}
            autoComplete="off"
            wrap="off"
            value={text}
            onDragOver={(event) => {
              event.preventDefault();
              setOver(true);
            }}
            onDragLeave={() => setOver(false)}
            onDrop={drop}
            onChange={(event) => {
              setProblem(null);
              onChange(event.target.value);
            }}
          />
        )}
      </Field>
      <div className="button-row">
        <label className="button file" htmlFor={fileId}>
          {t.supplier.file}
          <input
            id={fileId}
            type="file"
            accept="text/*,.txt,.csv"
            onChange={(event) => {
              void read(event.target.files?.[0]);
              // The same file again is a change, too.
              event.target.value = '';
            }}
          />
        </label>
        {text !== '' && (
          <button type="button" className="button button-quiet" onClick={() => onChange('')}>
            {t.supplier.clear}
          </button>
        )}
      </div>
    </div>
  );
}
