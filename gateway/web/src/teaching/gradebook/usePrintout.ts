import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { explain } from '../../shared/ui/states.tsx';
import { gridQuery } from '../records/teachingQueries.ts';
import type { GridStudent } from '../records/teachingTypes.ts';

/** The most students on paper: about 200 sheets. Rendering more would block the page for many seconds. */
const maxStudents = 5_000;

export interface Printout {
  /** Everyone in the course, while the printout needs them. */
  students: GridStudent[] | undefined;
  /** How many of all students are loaded, while loading. */
  progress: { loaded: number; total: number } | undefined;
  error: string;
  start(): void;
  cancel(): void;
}

/** Loads all pages of a gradebook, renders them, and opens the browser's print dialog. */
export function usePrintout(courseId: number): Printout {
  const { t, formatNumber } = useTranslation();
  const queryClient = useQueryClient();
  const [students, setStudents] = useState<GridStudent[]>();
  const [progress, setProgress] = useState<Printout['progress']>();
  const [error, setError] = useState('');
  const running = useRef<symbol>(undefined);

  // Runs when everyone is in the document.
  useEffect(() => {
    if (!students) return;
    const end = () => setStudents(undefined);
    window.addEventListener('afterprint', end);
    window.print();
    return () => window.removeEventListener('afterprint', end);
  }, [students]);
  useEffect(
    () => () => {
      running.current = undefined;
    },
    [],
  );

  /** Returns everyone; nothing when it is cancelled. */
  async function load(run: symbol): Promise<GridStudent[] | undefined> {
    const all: GridStudent[] = [];
    for (let page = 1; ; page += 1) {
      const { data, meta } = await queryClient.fetchQuery(gridQuery(courseId, page));
      if (running.current !== run) return undefined;
      if (meta.total > maxStudents) {
        setError(
          t('Up to {count} students can be printed. Download the CSV instead.', {
            count: formatNumber(maxStudents),
          }),
        );
        return undefined;
      }
      all.push(...data);
      if (page >= meta.last_page) return all;
      setProgress({ loaded: all.length, total: meta.total });
    }
  }

  async function start(): Promise<void> {
    if (running.current) return;
    const run = Symbol();
    running.current = run;
    setError('');
    try {
      setStudents(await load(run));
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

  return { students, progress, error, start: () => void start(), cancel };
}
