import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Progress } from '../../shared/ui/states.tsx';
import type { Printout } from './usePrintout.ts';

/** Prints everyone. Where that takes several requests, the button shows how far it is, and cancels. */
export function PrintButton({ printout: { progress, start, cancel } }: { printout: Printout }) {
  const { t, formatNumber } = useTranslation();
  if (!progress)
    return (
      <Button className="button" onPress={start}>
        {t('Print')}
      </Button>
    );
  const { loaded, total } = progress;
  const text = t('{loaded} of {total} students', {
    loaded: formatNumber(loaded),
    total: formatNumber(total),
  });
  return (
    <div className="print-progress">
      <div>
        <span className="quiet small figures" role="status">
          {text}
        </span>
        <Progress name={t('Loading for print')} value={loaded} max={total} text={text} />
      </div>
      <Button className="button" onPress={cancel}>
        {t('Cancel')}
      </Button>
    </div>
  );
}
