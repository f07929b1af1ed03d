import { useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { PlainPage } from '../../shared/sheet/PlainPage.tsx';
import { pageSize } from '../../shared/sheet/sheetDocument.ts';
import { Icon } from '../../shared/ui/icons.tsx';
import { ErrorState, Loading } from '../../shared/ui/states.tsx';
import { useSheet } from '../sheet/useSheet.ts';

interface Props {
  title: string;
  url: string;
  onClose(): void;
}

/** Shows the questions beside the answers. Stays open while the grader moves between sheets. */
export function QuestionsPane({ title, url, onClose }: Props) {
  const { t } = useTranslation();
  const place = useRef<HTMLDivElement>(null);
  const [attempt, setAttempt] = useState(0);
  const { sheet, error } = useSheet(url, attempt);
  const width = (place.current?.clientWidth ?? 400) - 32;
  const pageWidth = sheet && pageSize(sheet.info(1), { turn: 0, scale: 1 }).width;
  return (
    <section className="questions-pane" aria-label={title}>
      <div className="questions-head">
        <h2>{title}</h2>
        <Button className="button plain icon" aria-label={t('Close')} onPress={onClose}>
          <Icon name="cross" />
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it must be scrollable by keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: it is not part of a form */}
      <div ref={place} className="questions-pages" tabIndex={0} role="group" aria-label={t('Pages')}>
        {error ? (
          <ErrorState error={error} onRetry={() => setAttempt((before) => before + 1)} />
        ) : !sheet || !pageWidth ? (
          <Loading />
        ) : (
          Array.from({ length: sheet.pageCount }, (_, index) => (
            <PlainPage
              // biome-ignore lint/suspicious/noArrayIndexKey: the pages of a file have no other key
              key={index}
              sheet={sheet}
              page={index + 1}
              number={index + 1}
              scale={width / pageWidth}
            />
          ))
        )}
      </div>
    </section>
  );
}
