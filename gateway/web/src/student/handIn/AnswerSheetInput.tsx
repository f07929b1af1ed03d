import { type DragEvent, useId, useState } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Icon } from '../../shared/ui/icons.tsx';

interface Props {
  maxPdfs: number;
  isReplacing: boolean;
  onChoose(files: File[]): void;
}

/** Accepts files that are chosen, photographed or dropped. */
export function AnswerSheetInput({ maxPdfs, isReplacing, onChoose }: Props) {
  const { t } = useTranslation();
  const input = useId();
  const hint = useId();
  const [isOver, setOver] = useState(false);

  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const files = [...event.dataTransfer.files];
    if (files.length > 0) onChoose(files);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an alternative to the input inside
    <div
      className="file-place"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Icon name="upload" />
      <div>
        <label htmlFor={input}>{t('Answer sheet')}</label>
        <p id={hint} className="quiet small">
          {isReplacing && <>{t('A new file replaces the previous one.')} </>}
          {maxPdfs === 1
            ? t('A PDF, or photos that are combined into one. You check it before it is handed in.')
            : t('PDFs, or photos that are combined into one. You check them before they are handed in.')}
        </p>
      </div>
      <input
        id={input}
        type="file"
        accept="application/pdf,image/*,.heic,.heif"
        multiple
        aria-describedby={hint}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          // Lets the user choose the same file again after it was rejected.
          target.value = '';
          if (files.length > 0) onChoose(files);
        }}
      />
    </div>
  );
}
