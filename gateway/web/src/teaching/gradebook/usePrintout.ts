import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { explain } from '../../shared/ui/states.tsx';
import { gridKey, gridQuery } from '../records/teachingQueries.ts';
import type { GridItem, GridStudent } from '../records/teachingTypes.ts';

/** The maximum number of students on paper: about 200 sheets. Rendering more would block the page for many seconds. */
const maxStudents = 5_000;

interface WholeGrid {
  items: GridItem[];
  students: GridStudent[];
}

export interface Printout {
  /** Everyone in the course, while the printout needs them. */
  whole: WholeGrid | undefined;
  /** The number of students loaded so far, while loading. */
  progress: { loaded: number; total: number } | undefined;
  error: string;
  start(): void;
  cancel(): void;
}

/** Loads all pages of a gradebook, renders them, and opens the browser's print dialog. */
export function usePrintout(courseId: number): Printout {
  const { t, formatNumber } = useTranslation();
  const queryClient = useQueryClient();
  const [whole, setWhole] = useState<WholeGrid>();
  const [progress, setProgress] = useState<Printout['progress']>();
  const [error, setError] = useState('');
  const running = useRef<symbol>(undefined);

  // Runs when everyone is in the document.
  useEffect(() => {
    if (!whole) return;
    const end = () => setWhole(undefined);
    window.addEventListener('afterprint', end);
    window.print();
    return () => window.removeEventListener('afterprint', end);
  }, [whole]);
  useEffect(
    () => () => {
      running.current = undefined;
    },
    [],
  );

  /** Returns all students; undefined if the user cancels. */
  async function load(run: symbol): Promise<WholeGrid | undefined> {
    const students: GridStudent[] = [];
    let columns: string | undefined;
    for (let page = 1; ; page += 1) {
      const { items, data, meta } = await queryClient.fetchQuery(gridQuery(courseId, page));
      if (running.current !== run) return undefined;
      columns ??= columnsOf(items);
      // Otherwise, grades would be printed below the wrong heading.
      if (columns !== columnsOf(items)) {
        void queryClient.invalidateQueries({ queryKey: gridKey(courseId) });
        setError(t('The gradebook has just changed. Print again.'));
        return undefined;
      }
      if (meta.total > maxStudents) {
        setError(
          t('Up to {count} students can be printed. Download the CSV instead.', {
            count: formatNumber(maxStudents),
          }),
        );
        return undefined;
      }
      students.push(...data);
      if (page >= meta.last_page) return { items, students };
      setProgress({ loaded: students.length, total: meta.total });
    }
  }

  async function start(): Promise<void> {
    if (running.current) return;
    const run = Symbol();
    running.current = run;
    setError('');
    try {
      setWhole(await load(run));
    } catch (failure) {
      if (running.current === run) setError(explain(failure, t).title);
    } finally {
      if (running.current === run) cancel();
    }
  }

  function cancel(): void {
    running.current = undefined;
    setProgress(undefined);
  }

  return { whole, progress, error, start: () => void start(), cancel };
}

const columnsOf = (items: GridItem[]): string =>
  JSON.stringify(items.map(({ kind, item_id }) => [kind, item_id]));
