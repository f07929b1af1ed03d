import { type RefObject, useMemo } from 'react';
import type { View } from '../../shared/sheet/sheetDocument.ts';
import type { Annotation } from '../queue/gradingTypes.ts';
import { FileFailure } from './FileFailure.tsx';
import type { MarkChange } from './markHistory.ts';
import { SheetPage } from './SheetPage.tsx';
import type { Tool } from './tools.ts';
import type { OpenFile } from './useOpenFiles.ts';

const noMarks: Annotation[] = [];

interface Props {
  file: OpenFile;
  view: View;
  marks: Annotation[];
  tool: Tool | undefined;
  selected: string | undefined;
  edited: string | undefined;
  itemPoints: ReadonlyMap<number, string>;
  scroller: RefObject<HTMLElement | null>;
  onSelect(id: string | undefined): void;
  onEdit(id: string | undefined): void;
  onChange(change: MarkChange): void;
}

/** The pages of one file, or the reason why they cannot be shown. */
export function FilePages({
  file: { file, sheet, error, retry, firstNumber },
  marks,
  selected,
  edited,
  ...rest
}: Props) {
  const byPage = useMemo(
    () =>
      Map.groupBy(
        marks.filter((mark) => mark.file_id === file.id),
        ({ page }) => page,
      ),
    [marks, file.id],
  );
  if (!sheet) return <FileFailure file={file} error={error} onRetry={retry} />;
  return Array.from({ length: sheet.pageCount }, (_, index) => {
    const own = byPage.get(index + 1) ?? noMarks;
    return (
      <SheetPage
        // biome-ignore lint/suspicious/noArrayIndexKey: the pages of a file have no other
        key={index}
        sheet={sheet}
        page={index + 1}
        number={firstNumber + index}
        fileId={file.id}
        marks={own}
        // Pages without it are not rendered again.
        selected={own.some(({ id }) => id === selected) ? selected : undefined}
        edited={own.some(({ id }) => id === edited) ? edited : undefined}
        {...rest}
      />
    );
  });
}
