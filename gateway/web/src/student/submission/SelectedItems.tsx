import { useTranslation } from '../../shared/language/useTranslation.ts';
import type { SelectedItem } from '../records/studentTypes.ts';

/** The items of a rubric that apply, with their points. */
export function SelectedItems({ items }: { items: SelectedItem[] }) {
  const { formatNumber } = useTranslation();
  return (
    <ul className="own-rubric">
      {items.map(({ text, points }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items may share a text, and they are stateless
        <li key={`${index} ${text}`}>
          <span className="written" dir="auto">
            {text}
          </span>
          <span className="figures small" dir="ltr">
            {points < 0 ? '−' : '+'}
            {formatNumber(Math.abs(points))}
          </span>
        </li>
      ))}
    </ul>
  );
}
