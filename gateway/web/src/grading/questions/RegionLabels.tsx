import { pageToView, placeRect, type Rect, sizeOf } from '../../shared/sheet/pageCoordinates.ts';
import type { SheetPageInfo } from '../../shared/sheet/sheetDocument.ts';
import type { Annotation } from '../queue/gradingTypes.ts';

interface Props {
  info: SheetPageInfo;
  marks: Annotation[];
  /** The id of the region that is being redrawn. */
  drawn: string | undefined;
}

/** Shows the labels of questions in their regions. Screen readers read them with the marks below. */
export function RegionLabels({ info: { box, turn }, marks, drawn }: Props) {
  const { width, height } = sizeOf(box, turn);
  const toView = pageToView(box, turn);
  return (
    <svg className="region-labels" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {marks.map(({ id, rect, text }) => {
        const [x, y, w, h] = placeRect(toView, rect as unknown as Rect);
        const label = text ?? '';
        const labelWidth = label.length * 7 + 10;
        // The label is beside the region where there is space, so that it covers no text.
        const left = x >= labelWidth ? x - labelWidth : x;
        return (
          <g key={id} data-drawn={id === drawn || undefined}>
            <rect className="region-frame" x={x} y={y} width={w} height={h} />
            <rect className="region-label" x={left} y={y} width={labelWidth} height={16} />
            <text className="region-label-text" x={left + labelWidth / 2} y={y + 11.5} textAnchor="middle">
              {label}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
