import type { QueryClient } from '@tanstack/react-query';
import { sizeOf } from '../../shared/sheet/pageCoordinates.ts';
import { sheetQuery } from '../queue/gradingQueries.ts';
import type { AnswerPage, GradingFile, ItemId, Sheet } from '../queue/gradingTypes.ts';
import { neighbour } from '../queue/trail.ts';
import { readTrail } from '../queue/trailStore.ts';
import { openSheets } from '../sheet/openSheets.ts';
import type { PaneSize } from '../sheet/usePaneSize.ts';
import { scaleOf, type Zoom } from '../sheet/zoom.ts';

/** How pages are displayed, for rendering the pages of the next sheet ahead. */
export interface Look {
  paneSize: PaneSize;
  zoom: Zoom;
}

/** Loads the submissions that the next and previous keys lead to. A failed one is loaded again when it is opened. */
export async function readNeighbours(queryClient: QueryClient, item: ItemId, id: number): Promise<Sheet[]> {
  const trail = readTrail(item);
  const sheets: Sheet[] = [];
  for (const next of [neighbour(trail, id, 1), neighbour(trail, id, -1)]) {
    if (next === undefined) continue;
    const sheet = await queryClient.fetchQuery(sheetQuery(item.kind, next)).catch(() => undefined);
    if (sheet) sheets.push(sheet);
  }
  return sheets;
}

/** Opens the files and renders the page that is seen first, as it will be displayed. */
export async function prepareFirstPage(
  files: GradingFile[],
  { paneSize, zoom }: Look,
  start?: AnswerPage,
): Promise<void> {
  const sheets = await Promise.all(files.map((file) => openSheets.open(file)));
  const [first] = sheets;
  if (!first) return;
  const { box, turn } = first.info(1);
  const scale = scaleOf(zoom, sizeOf(box, turn), paneSize);
  const view = { scale, turn: 0 } as const;
  const named = start && sheets[files.findIndex(({ id }) => id === start.file_id)];
  const [sheet, page] = named && start.page <= named.pageCount ? [named, start.page] : [first, 1];
  if (!sheet.rendered(page, view)) await sheet.render(page, view, 'ahead').canvas;
}
