import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Progress } from '../../shared/ui/states.tsx';
import type { Printout } from './usePrintout.ts';

/** Prints everyone. If that takes several requests, it shows the progress, and pressing the button cancels. */
export function PrintButton({ printout: { progress, start, cancel } }: { printout: Printout }) {
  const { t } = useTranslation();
  return (
    <div className="print-progress">
      {progress && <LoadingStudents {...progress} />}
      <Button className="button" onPress={progress ? cancel : start}>
        {progress ? t('Cancel') : t('Print')}
      </Button>
    </div>
  );
}

function LoadingStudents({ loaded, total }: NonNullable<Printout['progress']>) {
  const { t, formatNumber } = useTranslation();
  const text = t('{loaded} of {total} students', {
    loaded: formatNumber(loaded),
    total: formatNumber(total),
  });
  return (
    <div>
      <span className="quiet small figures" role="status">
        {text}
      </span>
      <Progress name={t('Loading for print')} value={loaded} max={total} text={text} />
    </div>
  );
}
