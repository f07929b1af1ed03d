import { ToggleButton } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { stateNames } from './stateNames.ts';
import { type StudentState, studentStates } from './studentState.ts';

interface Props {
  state: StudentState | undefined;
  counts: Record<StudentState, number> | undefined;
  onChange(state: StudentState | undefined): void;
}

/** Filters by state. Each button shows how many students have this state. */
export function StateFilter({ state, counts, onChange }: Props) {
  const { t, formatNumber } = useTranslation();
  return (
    <fieldset className="state-filter">
      <legend className="unseen">{t('State')}</legend>
      {studentStates.map((each) => (
        <ToggleButton
          key={each}
          className="button plain"
          isSelected={state === each}
          onChange={(isSelected) => onChange(isSelected ? each : undefined)}
        >
          {t(stateNames[each])} <span className="figures">{counts ? formatNumber(counts[each]) : '–'}</span>
        </ToggleButton>
      ))}
    </fieldset>
  );
}
