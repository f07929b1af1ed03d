import { useTranslation } from '../../shared/language/useTranslation.ts';
import type { Statistics } from '../queue/gradingTypes.ts';

/** Shows bars, and the same data as a table for screen readers. */
export function Histogram({ histogram }: Pick<Statistics, 'histogram'>) {
  const { t, formatNumber } = useTranslation();
  const most = Math.max(1, ...histogram.map(({ count }) => count));
  return (
    <>
      <div className="histogram" aria-hidden="true">
        {histogram.map(({ from, count }) => (
          <div key={from} className="histogram-part">
            <span className="figures small">{count === 0 ? '' : formatNumber(count)}</span>
            <span className="histogram-bar" style={{ blockSize: `${(count / most) * 9}rem` }} />
            <span className="figures small quiet">{formatNumber(from)}</span>
          </div>
        ))}
      </div>
      {/* A table cannot shrink to the size that `.unseen` requires. */}
      <div className="unseen">
        <table>
          <caption>{t('Grades in percent of the total')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('Percent')}</th>
              <th scope="col">{t('Submissions')}</th>
            </tr>
          </thead>
          <tbody>
            {histogram.map(({ from, to, count }) => (
              <tr key={from}>
                <th scope="row">{t('{from} to {to}', { from, to })}</th>
                <td>{count}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
