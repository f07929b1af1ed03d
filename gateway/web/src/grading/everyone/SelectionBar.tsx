import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';

interface Props {
  /** The number of selected students. */
  count: number;
  onClear(): void;
  onAllow(): void;
}

/** The actions for the selected students. They stay selected while other pages are shown. */
export function SelectionBar({ count, onClear, onAllow }: Props) {
  const { t } = useTranslation();
  return (
    <div className="selection-bar">
      <Button className="button" aria-haspopup="dialog" isDisabled={count === 0} onPress={onAllow}>
        {t('Give more time')}
      </Button>
      <p role="status" className="quiet small">
        {count === 0
          ? t('Select students to give them more time.')
          : t('{count, plural, one {# student selected} other {# students selected}}', { count })}
      </p>
      {count > 0 && (
        <Button className="text-button small" onPress={onClear}>
          {t('Select no one')}
        </Button>
      )}
    </div>
  );
}
