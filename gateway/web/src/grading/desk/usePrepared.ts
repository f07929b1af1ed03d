import { useEffect, useRef } from 'react';
import type { Sheet } from '../queue/gradingTypes.ts';
import { openSheets } from '../sheet/openSheets.ts';
import type { Zoom } from '../sheet/zoom.ts';
import { afterPaint } from './afterPaint.ts';
import type { GradingFlow } from './useGradingFlow.ts';

/** Prepares the neighbouring sheets once this one has been painted, and releases all others. */
export function usePrepared({ detail }: Sheet, flow: GradingFlow, zoom: Zoom): void {
  const { id, files } = detail;
  const wasUngraded = useRef(detail.status === 'ungraded');
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each submission and zoom
  useEffect(() => {
    let isCurrent = true;
    const prepare = async () => {
      await afterPaint();
      if (!isCurrent) return;
      openSheets.keepOnly([...files, ...filesOf(flow.heldSheets())]);
      await Promise.allSettled(files.map((file) => openSheets.open(file)));
      if (!isCurrent) return;
      const around = await flow.prepare(wasUngraded.current);
      if (isCurrent) openSheets.keepOnly([...files, ...filesOf(around)]);
    };
    void prepare();
    return () => {
      isCurrent = false;
    };
  }, [id, zoom]);
}

const filesOf = (sheets: Sheet[]) => sheets.flatMap(({ detail }) => detail.files);
