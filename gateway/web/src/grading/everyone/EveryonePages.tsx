import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';

interface Props {
  hasPrevious: boolean;
  hasNext: boolean;
  onPrevious(): void;
  onNext(): void;
}

/** Moves between the pages of the students. Only one page is in the document, however many students there are. */
export function EveryonePages({ hasPrevious, hasNext, onPrevious, onNext }: Props) {
  const { t } = useTranslation();
  if (!hasPrevious && !hasNext) return null;
  return (
    <nav aria-label={t('Pages')} className="page-links">
      <Button className="button" isDisabled={!hasPrevious} onPress={onPrevious}>
        {t('Previous page')}
      </Button>
      <Button className="button" isDisabled={!hasNext} onPress={onNext}>
        {t('Next page')}
      </Button>
    </nav>
  );
}
