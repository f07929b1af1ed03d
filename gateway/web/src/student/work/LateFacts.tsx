import { type Translate, useTranslation } from '../../shared/language/useTranslation.ts';
import type { LateRule } from '../records/studentTypes.ts';

const costs: Record<LateRule['per'], string> = {
  once: 'It costs {percent} % of the grade',
  hour: 'It costs {percent} % of the grade for each hour begun',
  day: 'It costs {percent} % of the grade for each day begun',
};

/** The deadline for late work, and the penalty. */
export function LateFacts({ rule }: { rule: LateRule }) {
  const { t, formatNumber, formatTime } = useTranslation();
  const { until, grace_minutes: grace, penalty_percent: penalty, per, floor_percent: floor } = rule;
  const percent = (value: number) => ({ percent: formatNumber(value) });
  const facts = [
    t('Late work is accepted until {time}', { time: formatTime(until) }),
    penalty === 0 ? t('It costs nothing') : t(costs[per], percent(penalty)),
    ...(penalty > 0 && grace > 0 ? [graceText(grace, t)] : []),
    ...(penalty > 0 && floor > 0 ? [t('At least {percent} % of the grade remain', percent(floor))] : []),
  ];
  return facts.map((fact) => <li key={fact}>{fact}</li>);
}

const graceText = (count: number, t: Translate): string =>
  t('{count, plural, one {The first minute costs nothing} other {The first # minutes cost nothing}}', {
    count,
  });
